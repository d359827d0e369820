#pragma once
// Memory for parsing one line or document, so that most need no allocation per value. Copy out any
// value to keep.

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/storage_ptr.hpp>

#include <array>
#include <cstddef>

namespace oriel {

// Must outlive the values in it. Create it on the stack.
class LineMemory {
 public:
  LineMemory() : resource_(first_.data(), first_.size()) {}

  LineMemory(const LineMemory&) = delete;
  LineMemory& operator=(const LineMemory&) = delete;

  boost::json::storage_ptr storage() { return &resource_; }

 private:
  std::array<unsigned char, 16 << 10> first_;
  boost::json::monotonic_resource resource_;
};

}  // namespace oriel
