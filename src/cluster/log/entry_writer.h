#pragma once
// The entries that a node puts into the log: groups of its appends, published through a window that
// repeats what was not stored.

#include "base/mutex.h"
#include "cluster/log/append_queue.h"
#include "cluster/log/own_entries.h"
#include "cluster/log/publish_window.h"
#include "cluster/log/wakeup.h"
#include "cluster/nats_connection.h"
#include "journal/event_log.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct EntryWriterOptions {
  std::string subject;      // of the entries
  std::string ack_subject;  // answers come to "<ack_subject>.<attempt>"
  std::string author;
  std::size_t max_queued_bytes = 64 << 20;
};

// Safe from any thread, but one alone publishes: the one that `wakeup` wakes.
class EntryWriter {
 public:
  EntryWriter(NatsConnection& connection, Wakeup& wakeup, EntryWriterOptions options);

  // As of EventLog.
  Result<void> offer(Proposal& proposal, AppendHandler& handler);
  std::vector<AppendHandler> handlers_of(const Entry& entry);

  // Publishes what is due, and first an empty entry if there is nothing else and `is_silent`. True:
  // there is more to publish at once.
  bool publish_due(bool is_silent);

  // When to call publish_due() if nothing else happens.
  SteadyTime due() const;

  // The server answered to a message of this attempt. The place where it is stored, if it is.
  std::optional<std::uint64_t> answered(std::uint32_t attempt, const NatsMessage& message);

  // Own entries came back.
  void note(const OwnEntries& own);

  // What was on its way may be lost.
  void reconnected(SteadyTime now);

  // Goes on as another author, from number 1. Entries under way fail as unordered.
  void begin_again(std::string author);

  // Later offers fail; what is under way may take until then.
  void stop(SteadyTime deadline);

  // After stop(): nothing is left to be answered. Answers what is left at the deadline.
  bool is_finished();

  // Why nothing has been stored for so long; none if that is not so.
  std::optional<std::string> stall(SteadyTime now, std::chrono::milliseconds patience) const;

  std::uint64_t repeated() const;

 private:
  bool may_group() const REQUIRES(mutex_);
  void make_entry(bool is_silent);
  bool publish(const PublishWindow::Sending& sending);

  NatsConnection& connection_;
  Wakeup& wakeup_;
  const EntryWriterOptions options_;

  mutable Mutex mutex_;  // between shards, the journal's thread, the library's and the log's own
  std::string author_ GUARDED_BY(mutex_);
  unsigned life_ GUARDED_BY(mutex_) = 0;  // how often there was another author
  std::uint64_t next_number_ GUARDED_BY(mutex_) = 1;
  AppendQueue queue_ GUARDED_BY(mutex_);
  PublishWindow window_ GUARDED_BY(mutex_);
  std::string refusal_ GUARDED_BY(mutex_);
  bool is_stopping_ GUARDED_BY(mutex_) = false;
  SteadyTime stop_at_ GUARDED_BY(mutex_);
};

}  // namespace oriel
