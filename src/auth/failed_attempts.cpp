#include "auth/failed_attempts.h"

#include <algorithm>

namespace oriel {
namespace {

constexpr const char* kOtherAddresses = "";  // the entry that addresses beyond the limit share
constexpr std::chrono::seconds kSweepInterval{1};  // a sweep visits all addresses

}  // namespace

std::chrono::seconds FailedAttempts::wait_after(unsigned failed) const {
  if (failed < limits_.free_attempts) return std::chrono::seconds(0);
  const unsigned doublings = std::min(failed - limits_.free_attempts, 30U);
  return std::min(limits_.first_wait * (1U << doublings), limits_.longest_wait);
}

std::chrono::seconds FailedAttempts::wait(const std::string& address, SteadyTime now) const {
  const MutexLock lock(mutex_);
  auto found = addresses_.find(address);
  const bool is_full = addresses_.size() >= limits_.max_addresses;
  if (found == addresses_.end() && is_full) found = addresses_.find(kOtherAddresses);
  if (found == addresses_.end()) return std::chrono::seconds(0);
  const SteadyTime until = found->second.last + wait_after(found->second.failed);
  if (until <= now) return std::chrono::seconds(0);
  return std::chrono::ceil<std::chrono::seconds>(until - now);
}

void FailedAttempts::record(const std::string& address, SteadyTime now) {
  const MutexLock lock(mutex_);
  ++total_;
  const bool is_known = addresses_.contains(address);
  const bool may_sweep = now >= next_sweep_;
  if (!is_known && may_sweep && addresses_.size() >= limits_.max_addresses) {
    next_sweep_ = now + kSweepInterval;
    std::erase_if(addresses_, [&](const auto& entry) {
      return entry.second.last + limits_.forget_after <= now;
    });
  }
  const bool is_full = !is_known && addresses_.size() >= limits_.max_addresses;
  Attempts& attempts = addresses_[is_full ? kOtherAddresses : address];
  if (attempts.last + limits_.forget_after <= now) attempts.failed = 0;
  ++attempts.failed;
  attempts.last = now;
}

std::uint64_t FailedAttempts::total() const {
  const MutexLock lock(mutex_);
  return total_;
}

}  // namespace oriel
