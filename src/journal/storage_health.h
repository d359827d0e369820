#pragma once
// Problems of the journal's storage, for /health, for appenders and for the log.

#include "base/mutex.h"

#include <cstddef>
#include <optional>
#include <string>

namespace oriel {

// Thread-safe: the journal's threads write it and any thread reads it. Logs one line when a problem
// appears and one when it ends, however many events are affected.
class StorageHealth {
 public:
  // The storage file is gone, or a sync failed. Permanent: later commits may be lost.
  void lost(const std::string& reason);

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
  mutable Mutex mutex_;
  std::optional<std::string> loss_ GUARDED_BY(mutex_);
  std::optional<std::string> commit_failure_ GUARDED_BY(mutex_);
  std::optional<std::string> retention_failure_ GUARDED_BY(mutex_);
  std::optional<std::string> damage_ GUARDED_BY(mutex_);
  std::size_t refused_ GUARDED_BY(mutex_) = 0;  // events rejected since commits started to fail
};

}  // namespace oriel
