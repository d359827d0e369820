#pragma once
// For objects of which there are thousands, and of which a delivery touches only a few fields: kept
// in one line of the cache, each costs one fetch from memory.

#include <cstddef>

namespace oriel {

constexpr std::size_t kCacheLine = 64;

}  // namespace oriel
