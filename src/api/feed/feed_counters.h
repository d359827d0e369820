#pragma once
// What the browser stream counts, for /metrics. Written by one shard each, read by any.

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace oriel {

// A number that one thread raises and others read.
class Counter {
 public:
  void add(std::uint64_t n) {
    value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }

  std::uint64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

// How long events took. Bucket k counts those of at most 2^k times kLatencyStep; the last one all
// that took longer.
constexpr std::chrono::microseconds kLatencyStep{50};
constexpr std::size_t kLatencyBuckets = 17;  // up to 1.6 s, and beyond

struct FeedCounters {
  Counter opened;
  Counter gaps;  // for cursors of another epoch; the others are the hub's
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
