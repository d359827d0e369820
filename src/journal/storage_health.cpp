#include "journal/storage_health.h"

#include "base/log.h"

#include <utility>

namespace oriel {

// Lines are logged without the mutex: standard error may be slow, and /health must not wait for it.

void StorageHealth::lost(const std::string& reason) {
  {
    const MutexLock lock(mutex_);
    if (loss_) return;
    loss_ = reason;
  }
  log()->error("journal: {}; no event is stored until the server is restarted", reason);
}

void StorageHealth::commit_failed(const std::string& reason, std::size_t events) {
  std::optional<std::uint64_t> left_out;
  {
    const MutexLock lock(mutex_);
    refused_ += events;
    left_out = fail(commit_failure_, reason);
  }
  if (!left_out) return;
  const std::string what =
      events == 0 ? "nothing is stored" : std::to_string(events) + " events were not stored";
  log()->error("journal: {}: {}; logged again when this changes{}", what, reason,
               FailureLog::note(*left_out));
}

void StorageHealth::committed() {
  std::size_t refused = 0;
  {
    const MutexLock lock(mutex_);
    if (!end(commit_failure_)) return;
    refused = std::exchange(refused_, 0);
  }
  if (refused == 0)
    log()->info("journal: events are stored again");
  else
    log()->info("journal: events are stored again; {} were not", refused);
}

void StorageHealth::retention_failed(const std::string& reason) {
  std::optional<std::uint64_t> left_out;
  {
    const MutexLock lock(mutex_);
    left_out = fail(retention_failure_, reason);
  }
  if (!left_out) return;
  log()->error("journal: retention failed: {}; logged again when this changes{}", reason,
               FailureLog::note(*left_out));
}

void StorageHealth::retained() {
  {
    const MutexLock lock(mutex_);
    if (!end(retention_failure_)) return;
  }
  log()->info("journal: retention works again");
}

// The number of such failures since the last line about one; none: this one is not logged.
std::optional<std::uint64_t> StorageHealth::fail(Failure& failure, const std::string& reason) {
  if (failure.reason == reason) return std::nullopt;
  failure.reason = reason;
  const auto left_out = failure.lines.admit(reason, clock_());
  if (left_out) failure.is_logged = true;
  return left_out;
}

// Whether to log that it has ended.
bool StorageHealth::end(Failure& failure) {
  failure.reason.reset();
  return std::exchange(failure.is_logged, false);
}

void StorageHealth::damaged(const std::string& reason) {
  {
    const MutexLock lock(mutex_);
    if (damage_) return;
    damage_ = reason;
  }
  log()->error(
      "journal: stored events are damaged: {}; stop the server and run `oriel check --repair`",
      reason);
}

std::optional<std::string> StorageHealth::loss() const {
  const MutexLock lock(mutex_);
  return loss_;
}

std::optional<std::string> StorageHealth::refusal() const {
  const MutexLock lock(mutex_);
  return loss_ ? loss_ : commit_failure_.reason;
}

std::optional<std::string> StorageHealth::problem() const {
  const MutexLock lock(mutex_);
  if (loss_) return *loss_ + "; no event is stored until the server is restarted";
  if (commit_failure_.reason) return "events are not stored: " + *commit_failure_.reason;
  if (damage_) return "stored events are damaged: " + *damage_;
  if (retention_failure_.reason) return "old events are not removed: " + *retention_failure_.reason;
  return std::nullopt;
}

}  // namespace oriel
