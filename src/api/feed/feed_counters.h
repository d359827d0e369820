#pragma once
// Counters of the event stream for /metrics. One shard writes, any thread reads.

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace oriel {

// One thread writes, others read.
class Counter {
 public:
  void add(std::uint64_t n) {
    value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }

  std::uint64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

// Delivery latency. Bucket k counts events of at most 2^k * kLatencyStep, the last bucket all
// slower ones.
constexpr std::chrono::microseconds kLatencyStep{50};
constexpr std::size_t kLatencyBuckets = 17;  // up to 1.6 s, and beyond

struct FeedCounters {
  Counter opened;
  Counter gaps;  // for cursors of another epoch; the hub counts other gaps
  Counter deliveries;
  Counter bytes;
  Counter writes;
  Counter heartbeats;
  Counter stalled;
  Counter latency_us_sum;
  std::array<Counter, kLatencyBuckets> latency;

  void count_latency(std::chrono::steady_clock::duration took);
};

}  // namespace oriel
