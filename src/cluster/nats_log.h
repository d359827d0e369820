#pragma once
// The log of a cluster: one JetStream stream that all nodes write and read in the same order.

#include "cluster/nats_connection.h"
#include "journal/entry_judge.h"
#include "journal/event_log.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct NatsLogOptions {
  std::string life;  // the author of this process's entries: "<node>.<random>"
  Applied applied;   // where the node's journal is; reading goes on after it, in its generation
  std::size_t max_queued_bytes = 64 << 20;  // offered and not yet answered
  std::size_t max_inbox_bytes = 32 << 20;   // received and not yet taken
  // What prevents appends for less than this makes them wait; it is a problem afterwards.
  std::chrono::milliseconds patience{3000};
  // After so many entries of others this node writes an empty one, or it would be forgotten as an
  // author.
  std::uint64_t max_silence = kAuthorMemory / 4;
  // Entries on their way when stop() is called may take so long.
  std::chrono::milliseconds stop_deadline{2000};
  // Nobody knows yet whether the stream is there and continues the journal: nothing is read before
  // begin(), and appends fail with this reason until release(). None: both at once.
  std::optional<std::string> hold = {};
};

// For health, metrics and heartbeats.
struct NatsLogState {
  bool is_connected = false;
  std::uint64_t taken = 0;        // the place of the last entry that the journal has taken
  std::uint64_t known = 0;        // the highest place that is known to exist
  std::uint64_t first = 0;        // the oldest place of the stream, as its leader said last
  std::uint64_t last = 0;         // the newest one
  std::uint64_t refilled = 0;     // entries that the live feed missed
  std::uint64_t repeated = 0;     // entries published again
  std::uint64_t passed_over = 0;  // own entries that came before one that was missing
  bool needs_snapshot = false;    // entries that the journal needs are not in the stream any more
  std::optional<std::string> problem = {};  // why appends cannot work now, or never again
};

// Publishes what the node's shards offer, grouped, through a window that repeats what was not
// stored. Returns entries by place, without holes: live ones from a subscription, missed ones from
// the stream's leader. offer() takes as much as fits the queue also while no server can be reached;
// its handlers wait until the entry comes back. Threads: see EventLog; state() is safe on any.
//
// The connection must outlive the log and be of its own: nothing ever ends a subscription.
class NatsLog final : public EventLog {
 public:
  NatsLog(NatsConnection& connection, NatsLogOptions options);
  ~NatsLog() override;

  Result<void> offer(Proposal& proposal, AppendHandler& handler) override;
  std::optional<std::vector<Entry>> take(SteadyTime until) override;
  std::vector<AppendHandler> handlers_of(const Entry& entry) override;
  void passed_over(const Entry& entry) override;
  bool put_back(std::vector<Entry>& entries) override;
  void stop() override;
  std::optional<std::string> problem() const override;

  bool is_behind() const override;

  // Of a log that was created with a hold. On any thread.
  void begin();
  void hold(std::string reason);  // another one; not after release()
  void release();

  NatsLogState state() const;

  // Another node has applied this place, so it exists. On any thread.
  void heard_of(std::uint64_t place);

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace oriel
