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
  {
    const MutexLock lock(mutex_);
    refused_ += events;
    if (commit_failure_ == reason) return;
    commit_failure_ = reason;
  }
  log()->error("journal: {} events were not stored: {}; the next line follows when this changes",
               events, reason);
}

void StorageHealth::committed() {
  std::size_t refused = 0;
  {
    const MutexLock lock(mutex_);
    if (!commit_failure_) return;
    commit_failure_.reset();
    refused = std::exchange(refused_, 0);
  }
  log()->info("journal: events are stored again; {} were not", refused);
}

void StorageHealth::retention_failed(const std::string& reason) {
  {
    const MutexLock lock(mutex_);
    if (retention_failure_ == reason) return;
    retention_failure_ = reason;
  }
  log()->error("journal: retention failed: {}; the next line follows when this changes", reason);
}

void StorageHealth::retained() {
  {
    const MutexLock lock(mutex_);
    if (!retention_failure_) return;
    retention_failure_.reset();
  }
  log()->info("journal: retention works again");
}

void StorageHealth::damaged(const std::string& reason) {
  {
    const MutexLock lock(mutex_);
    if (damage_) return;
    damage_ = reason;
  }
  log()->error("journal: stored events are damaged: {}; restore the file from a backup", reason);
}

std::optional<std::string> StorageHealth::loss() const {
  const MutexLock lock(mutex_);
  return loss_;
}

std::optional<std::string> StorageHealth::refusal() const {
  const MutexLock lock(mutex_);
  return loss_ ? loss_ : commit_failure_;
}

std::optional<std::string> StorageHealth::problem() const {
  const MutexLock lock(mutex_);
  if (loss_) return *loss_ + "; no event is stored until the server is restarted";
  if (commit_failure_) return "events are not stored: " + *commit_failure_;
  if (damage_) return "stored events are damaged: " + *damage_;
  if (retention_failure_) return "old events are not removed: " + *retention_failure_;
  return std::nullopt;
}

}  // namespace oriel
