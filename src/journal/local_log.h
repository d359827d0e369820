#pragma once
// The log of a server on its own: a queue of appends, bounded in bytes.

#include "base/mutex.h"
#include "journal/event_log.h"

#include <cstddef>
#include <vector>

namespace oriel {

struct LocalLogOptions {
  std::size_t max_batch_records = 4096;     // in one entry
  std::size_t max_queued_bytes = 64 << 20;  // offers beyond this fail
};

// All proposals that wait become one entry, so that one transaction stores them.
class LocalLog final : public EventLog {
 public:
  explicit LocalLog(LocalLogOptions options) : options_(options) {}

  Result<void> offer(Proposal& proposal, AppendHandler& handler) override;
  std::optional<std::vector<Entry>> take(SteadyTime until) override;
  std::vector<AppendHandler> handlers_of(const Entry& entry) override;

  void passed_over(const Entry&) override {}

  bool put_back(std::vector<Entry>&) override { return false; }

  void stop() override;

 private:
  struct Waiting {
    Proposal proposal;
    AppendHandler handler;
  };

  std::vector<Entry> take_batch() REQUIRES(mutex_);

  const LocalLogOptions options_;
  std::vector<AppendHandler> taken_;  // of the last entry

  // Shards fill the queue; the journal's thread empties it and blocks while it is empty.
  Mutex mutex_;
  ConditionVariable wake_;
  std::vector<Waiting> queue_ GUARDED_BY(mutex_);
  std::size_t queued_bytes_ GUARDED_BY(mutex_) = 0;
  bool is_stopping_ GUARDED_BY(mutex_) = false;
};

}  // namespace oriel
