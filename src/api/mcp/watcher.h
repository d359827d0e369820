#pragma once
// Which agent sessions an MCP client watches, and where each of their events goes: to the client's
// standalone stream, or, while a call follows the session, to that call's own stream; never to
// both.

#include "api/mcp/session_subscription.h"
#include "runtime/condition.h"

#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace oriel {

class TaskClaim;

// The companion of an mcp::Session: lives on its shard and dies with it. Any number of clients may
// watch one session.
class McpWatcher : public std::enable_shared_from_this<McpWatcher> {
 public:
  // `deliver` is for the standalone stream.
  McpWatcher(ShardHub& hub, asio::any_io_executor shard, SessionSubscription::OnRecord deliver)
      : hub_(hub), shard_(std::move(shard)), deliver_(std::move(deliver)) {}

  // Everything of the session after that sequence, until it ends or unwatch(). False if it is
  // watched already: then nothing changes.
  bool watch(const std::string& session_id, Sequence after);

  // False if it was not watched.
  bool unwatch(const std::string& session_id);

  std::vector<std::string> watched() const;

 private:
  friend class TaskClaim;

  struct Watch {
    bool is_wanted = false;
    Sequence reached = kNoSequence;            // while there is no tap
    std::shared_ptr<SessionSubscription> tap;  // none while a call follows the session
    std::list<TaskClaim*> claims;              // the first one has it
  };

  void open_tap(const std::string& session_id, Watch& watch);
  void on_record(const std::string& session_id, const RecordPtr& record);

  ShardHub& hub_;
  asio::any_io_executor shard_;
  SessionSubscription::OnRecord deliver_;
  std::map<std::string, Watch> watches_;
};

// A call's right to a session's events, from its construction on: the standalone stream gets none
// while one is there. Calls have it one after another.
class TaskClaim {
 public:
  TaskClaim(std::shared_ptr<McpWatcher> watcher, std::string session_id);
  ~TaskClaim();  // hands on what comes after reached()
  TaskClaim(const TaskClaim&) = delete;
  TaskClaim& operator=(const TaskClaim&) = delete;

  // Returns once the call has it.
  asio::awaitable<void> granted();

  // Everything up to here was sent, by this call or before it.
  Sequence reached() const { return reached_; }

  void reach(Sequence sequence) { reached_ = std::max(reached_, sequence); }

 private:
  friend class McpWatcher;

  std::shared_ptr<McpWatcher> watcher_;
  std::string session_id_;
  Sequence reached_ = kNoSequence;
  bool is_granted_ = false;
  Condition changed_;
};

}  // namespace oriel
