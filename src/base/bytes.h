#pragma once
// Immutable bytes, encoded once and shared across shards.

#include <memory>
#include <string>

namespace oriel {

using SharedBytes = std::shared_ptr<const std::string>;

}  // namespace oriel
