#pragma once
// Latencies in nanoseconds, counted in buckets at most 1.6 % wide.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace oriel {

class Histogram {
 public:
  void add(std::int64_t ns) {
    const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(ns, 0));
    ++counts_[bucket(value)];
    ++total_;
    max_ = std::max(max_, value);
  }

  // The upper edge of the bucket that contains this percentile; `share` is in [0, 1].
  std::uint64_t percentile(double share) const {
    const auto rank = static_cast<std::uint64_t>(share * static_cast<double>(total_));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      seen += counts_[i];
      if (seen > rank) return std::min(upper_edge(i), max_);
    }
    return max_;
  }

  std::uint64_t max() const { return max_; }

 private:
  static constexpr unsigned kBits = 7;  // 64 buckets per octave

  static std::size_t bucket(std::uint64_t value) {
    const auto width = static_cast<unsigned>(std::bit_width(value | ((1U << kBits) - 1)));
    const unsigned shift = width - kBits;
    return (static_cast<std::size_t>(shift) << kBits) + (value >> shift);
  }

  static std::uint64_t upper_edge(std::size_t index) {
    const std::size_t shift = index >> kBits;
    const std::size_t low = index & ((1U << kBits) - 1);
    return ((low + 1) << shift) - 1;
  }

  std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>((64 - kBits + 2) << kBits);
  std::uint64_t total_ = 0;
  std::uint64_t max_ = 0;
};

}  // namespace oriel
