#pragma once
// Where a line is parsed: most fit in here, so that a line costs no allocation for each of its
// values. What is kept of it is copied out.

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/storage_ptr.hpp>

#include <array>
#include <cstddef>

namespace oriel {

// Outlives the values in it. On the stack.
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
