#pragma once
// Bytes made once and shared by all who send them, across shards.

#include <memory>
#include <string>

namespace oriel {

using SharedBytes = std::shared_ptr<const std::string>;

}  // namespace oriel
