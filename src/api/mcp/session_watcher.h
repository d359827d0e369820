#pragma once
// The agent sessions that an MCP client watches: the source of its standalone stream. The journal
// has the events, so a watch is a range of sequences. An event goes to the standalone stream or,
// while a call follows the session, to that call's stream; never to both.

#include "api/mcp/event_messages.h"
#include "hub/hub.h"
#include "journal/journal.h"
#include "mcp/catalog.h"
#include "mcp/streams/stream_source.h"
#include "runtime/condition.h"

#include <chrono>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace oriel {

class TaskClaim;
class WatchReader;

// The events of one session that belong to the standalone stream. A value.
struct WatchRange {
  Sequence from = kNoSequence;    // after this one
  Sequence until = kMaxSequence;  // up to this one: where the session or the watch ended
  // What calls have sent on their own streams: after the first, up to the second.
  std::vector<std::pair<Sequence, Sequence>> claimed;

  bool has(Sequence sequence) const;

  bool is_open() const { return until == kMaxSequence; }

  bool is_empty() const { return until <= from; }
};

// Belongs to an mcp::Session and lives on its shard. Any number of clients may watch a session.
class SessionWatcher : public mcp::SessionCompanion, public mcp::StreamSource {
 public:
  // What the session's client is to get, and what it changes.
  struct Client {
    std::function<std::optional<mcp::LogLevel>()> level;
    std::function<void()> changed;  // state() has changed
    // How long after a restart its streams leave the events of a call to that call, which may have
    // sent some of them and comes back when its client does.
    std::chrono::milliseconds call_return{10'000};
  };

  // `before` is the state() of a watcher that a restart has ended, or empty. In another epoch,
  // whose sequences are others, the watches go on with what happens next.
  SessionWatcher(ShardHub& hub, Journal& journal, EventMessageCache& messages,
                 asio::io_context::executor_type shard, Client client,
                 const boost::json::object& before);
  ~SessionWatcher() override;

  // Delivers the session's events after `after`, which is raised to head(), until the session ends
  // or unwatch(). Returns false and changes nothing if it is watched already.
  bool watch(const std::string& session_id, Sequence after);

  // Returns false if it was not watched.
  bool unwatch(const std::string& session_id);

  std::vector<std::string> watched() const;

  StreamSource* source() override { return this; }

  boost::json::object state() const override;
  void level_set() override;

  std::unique_ptr<mcp::SourceReader> read_after(std::uint64_t position,
                                                std::function<void()> on_ready) override;

  std::uint64_t head() const override { return hub_.head(); }

  bool is_renumbered() const override { return is_renumbered_; }

  asio::awaitable<std::optional<mcp::Removed>> removed_after(std::uint64_t position) override;
  void settled(std::uint64_t position) override;

 private:
  friend class TaskClaim;
  friend class WatchReader;

  // Whether an event goes to the standalone stream.
  enum class Place {
    kHere,
    kElsewhere,
    kUndecided,  // a call follows the session and has not come that far
  };

  struct Watch {
    WatchRange range;
    std::list<TaskClaim*> claims;  // the first one is granted
    // Where a claim began: the granted one, or one that a restart has ended.
    std::optional<Sequence> claimed_from;
  };

  Place place_of(const std::string& session_id, Sequence sequence);
  bool wants(mcp::LogLevel level) const;
  std::vector<std::string> readable() const;
  void ended(const std::string& session_id, Sequence sequence);
  void remove_if_empty(const std::string& session_id);
  void remove_unused();
  void wake_reader();
  void wait_for_calls();

  ShardHub& hub_;
  Journal& journal_;
  EventMessageCache& messages_;
  asio::io_context::executor_type shard_;
  Client client_;
  const bool is_renumbered_;  // restored, in another epoch
  std::map<std::string, Watch> watches_;
  Sequence settled_ = kNoSequence;
  WatchReader* reader_ = nullptr;  // of the connected stream
  // Until then, calls that a restart has ended may still come back. Null: none may; shared with its
  // handler, which may run after the watcher's end.
  std::shared_ptr<asio::steady_timer> call_return_;
};

// A call's exclusive claim to a session's events: while one exists, the standalone stream gets
// none. Claims are granted in order of construction.
class TaskClaim {
 public:
  TaskClaim(std::shared_ptr<SessionWatcher> watcher, std::string session_id);
  ~TaskClaim();  // the next claim or the standalone stream continues after reached()
  TaskClaim(const TaskClaim&) = delete;
  TaskClaim& operator=(const TaskClaim&) = delete;

  // Waits until the claim is granted.
  asio::awaitable<void> granted();

  // The last sequence sent to the client, by this call or before it.
  Sequence reached() const { return reached_; }

  void reach(Sequence sequence);

 private:
  friend class SessionWatcher;

  void grant(Sequence from);

  std::shared_ptr<SessionWatcher> watcher_;
  std::string session_id_;
  Sequence reached_ = kNoSequence;
  bool is_granted_ = false;
  Condition changed_;
};

}  // namespace oriel
