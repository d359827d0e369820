#pragma once
// Problems of the journal's storage, for /health, for appenders and for the log.

#include "base/failure_log.h"
#include "base/mutex.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace oriel {

// Thread-safe: the journal's threads write it and any thread reads it. Logs one line when a problem
// appears and one when it ends, however many events are affected. If it comes and goes, as on a
// disk with room for small commits only, FailureLog limits the lines.
class StorageHealth {
 public:
  using Clock = std::function<SteadyTime()>;

  explicit StorageHealth(Clock clock = std::chrono::steady_clock::now) : clock_(std::move(clock)) {}

  // The storage file is gone, or a sync failed. Permanent: later commits may be lost.
  void lost(const std::string& reason);

  // `events`: how many are lost by it; 0: they are tried again.
  void commit_failed(const std::string& reason, std::size_t events);
  void committed();

  void retention_failed(const std::string& reason);
  void retained();

  // Stored events cannot be read. Permanent: nothing repairs them while the server runs.
  void damaged(const std::string& reason);

  // The reason why nothing can be stored any more; none while storing works.
  std::optional<std::string> loss() const;

  // Why nothing is stored at the moment; none while commits work.
  std::optional<std::string> refusal() const;

  // The worst problem, as a sentence without a full stop; none if there is none.
  std::optional<std::string> problem() const;

 private:
  // A problem that ends, and may return.
  struct Failure {
    std::optional<std::string> reason;
    bool is_logged = false;  // and its end is not
    FailureLog lines;
  };

  std::optional<std::uint64_t> fail(Failure& failure, const std::string& reason) REQUIRES(mutex_);
  static bool end(Failure& failure);

  const Clock clock_;
  mutable Mutex mutex_;
  std::optional<std::string> loss_ GUARDED_BY(mutex_);
  Failure commit_failure_ GUARDED_BY(mutex_);
  Failure retention_failure_ GUARDED_BY(mutex_);
  std::optional<std::string> damage_ GUARDED_BY(mutex_);
  std::size_t refused_ GUARDED_BY(mutex_) = 0;  // events rejected since the last line about them
};

}  // namespace oriel
