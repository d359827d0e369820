#pragma once
// How long an address has to wait after wrong credentials: after some free attempts the delay
// doubles.

#include "base/moment.h"
#include "base/mutex.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <unordered_map>

namespace oriel {

struct FailedAttemptLimits {
  unsigned free_attempts = 10;
  std::chrono::seconds first_wait{1};
  std::chrono::seconds longest_wait{60};
  std::chrono::seconds forget_after{600};  // since the last attempt
  std::size_t max_addresses = 10'000;      // beyond: new ones share one entry
};

// Thread-safe, for any shard.
class FailedAttempts {
 public:
  explicit FailedAttempts(FailedAttemptLimits limits) : limits_(limits) {}

  // The delay before the next attempt of this address; zero: none.
  std::chrono::seconds wait(const std::string& address, SteadyTime now) const;

  void record(const std::string& address, SteadyTime now);

  // Failed attempts of all addresses since the start.
  std::uint64_t total() const;

 private:
  struct Attempts {
    unsigned failed = 0;
    SteadyTime last;
  };

  std::chrono::seconds wait_after(unsigned failed) const;

  FailedAttemptLimits limits_;
  mutable Mutex mutex_;  // an address may connect to every shard
  std::unordered_map<std::string, Attempts> addresses_ GUARDED_BY(mutex_);
  SteadyTime next_sweep_ GUARDED_BY(mutex_);  // of a full table
  std::uint64_t total_ GUARDED_BY(mutex_) = 0;
};

}  // namespace oriel
