#pragma once
// The agent sessions that an MCP client watches. An event goes to the client's standalone stream
// or, while a call follows the session, to that call's stream; never to both.

#include "api/mcp/session_subscription.h"
#include "mcp/catalog.h"
#include "runtime/condition.h"

#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace oriel {

class TaskClaim;

// Belongs to an mcp::Session and lives on its shard. Any number of clients may watch a session.
class SessionWatcher : public mcp::SessionCompanion {
 public:
  // Sends a record or a gap of a session to the standalone stream.
  using Deliver = std::function<void(const std::string& session_id, const FramePtr& frame)>;

  SessionWatcher(ShardHub& hub, asio::any_io_executor shard, Deliver deliver)
      : hub_(hub), shard_(std::move(shard)), deliver_(std::move(deliver)) {}

  // Delivers the session's events after `after` until the session ends or unwatch(). Returns false
  // and changes nothing if it is watched already.
  bool watch(const std::string& session_id, Sequence after);

  // Returns false if it was not watched.
  bool unwatch(const std::string& session_id);

  std::vector<std::string> watched() const;

 private:
  friend class TaskClaim;

  struct Watch {
    bool is_wanted = false;
    Sequence reached = kNoSequence;                     // while there is no subscription
    std::shared_ptr<SessionSubscription> subscription;  // none while a call follows the session
    std::list<TaskClaim*> claims;                       // the first one is granted
  };

  void subscribe(const std::string& session_id, Watch& watch);
  void on_frame(const std::string& session_id, const FramePtr& frame);

  ShardHub& hub_;
  asio::any_io_executor shard_;
  Deliver deliver_;
  std::map<std::string, Watch> watches_;
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

  void reach(Sequence sequence) { reached_ = std::max(reached_, sequence); }

 private:
  friend class SessionWatcher;

  std::shared_ptr<SessionWatcher> watcher_;
  std::string session_id_;
  Sequence reached_ = kNoSequence;
  bool is_granted_ = false;
  Condition changed_;
};

}  // namespace oriel
