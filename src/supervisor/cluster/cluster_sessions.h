#pragma once
// What the supervisor does only in a cluster: decides which node runs a session, takes over those
// of lost nodes, and calls other nodes.

#include "cluster/peers.h"
#include "runtime/deadline.h"
#include "runtime/task_group.h"
#include "supervisor/cluster/file_transfers.h"
#include "supervisor/cluster/placement.h"
#include "supervisor/cluster/session_calls.h"
#include "supervisor/cluster/session_claims.h"
#include "supervisor/cluster/shared_sessions.h"
#include "supervisor/cluster/workspace_takeover.h"
#include "supervisor/sessions/session_runners.h"

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace oriel {

// For a hook that did not arrive.
constexpr const char* kHookHint = "no action is needed: the transcript has the same turns";

struct ClusterSessionsOptions {
  Placement placement = Placement::kLocal;
  NodeLabels labels = {};  // of this node
  // All nodes see the same workspaces, so that each can go on with the sessions of a lost one. A
  // session whose workspace is not there waits for its own node.
  bool has_shared_workspaces = false;
  // This node was alone before: sessions without an owner are its own.
  bool is_founder = false;
  std::chrono::milliseconds max_claim_delay{500};  // so that not all nodes claim at once
  std::chrono::milliseconds command_deadline = std::chrono::seconds(15);
  std::chrono::milliseconds create_deadline = std::chrono::minutes(2);  // it may clone
  std::chrono::milliseconds hook_deadline = std::chrono::seconds(1);    // an agent waits for it
  FileTransferOptions files = {};
};

// Owned by the supervisor; lives on the first shard.
class ClusterSessions {
 public:
  // `sync` is null if no workspace is pushed. Construct it before the journal and the peers start.
  ClusterSessions(asio::any_io_executor shard, Journal& journal, BlockingThread& blocking,
                  SessionRegistry& sessions, SessionRunners& runners, Uploads& uploads,
                  Peers& peers, ClusterSessionsOptions options, WorkspaceSync* sync = nullptr);

  // Adds the stored sessions, so that they can be read.
  asio::awaitable<void> load_sessions();

  // Begins to claim those that an earlier life of this node has left at work. Call it when the
  // journal has caught up.
  asio::awaitable<void> start();

  // No new sessions come from other nodes. Call it before the runners stop.
  void drain();

  // Call it when they have stopped.
  asio::awaitable<void> stop();

  // The node that handles commands of this session; empty: this one. Claims the session if nobody
  // else can run it. Error: node_unreachable, and those of SessionClaims.
  asio::awaitable<Result<std::string>> route(std::string session_id);

  // The same for a call that another node has routed here. Error: overtaken, if the session is of
  // another node.
  asio::awaitable<Result<void>> admit(std::string session_id);

  // The node that creates such a session; empty: this one. Nodes in `full` have said that they are
  // at their limit. Errors: node_unreachable, and invalid_request for a named node without the
  // wanted labels.
  asio::awaitable<Result<std::string>> place(NewSession wanted, std::set<std::string> full);

  // Has another node run the command. Errors: those of the command, and node_unreachable.
  template <class Call>
  asio::awaitable<Result<typename Call::Answer>> call(std::string node, Call call);

  // Sends the files of the turn first. Also fails with the errors of Upload.
  asio::awaitable<Result<MessageTaken>> call(std::string node, SayCall call);

  // Where files may be that people sent to a session: on its node, or on those that had it before.
  struct FilePlaces {
    std::vector<std::string> nodes;  // in the order to ask them; empty: this one
    std::optional<Error> lost;       // the session's node cannot be reached
  };

  FilePlaces places_of_files(const std::string& session_id);

  FileTransfers& files() { return files_; }

  // The node that observes the agent with this id of its own; empty: this one, or none. Error:
  // node_unreachable.
  Result<std::string> node_observing(const std::string& agent_session_id);

 private:
  void note_lost(const Node& node);
  asio::awaitable<void> adopt_observed();
  asio::awaitable<void> claim_own();
  asio::awaitable<void> claim_lost(Node node);
  asio::awaitable<bool> has_workspace(std::string directory);
  asio::awaitable<Result<void>> claim(std::string session_id, std::string owner,
                                      std::string reason);
  asio::awaitable<bool> claim_left(std::string session_id, std::string from, std::string owner,
                                   std::string reason);
  asio::awaitable<Result<void>> claim_for_command(std::string session_id, std::string reason);
  asio::awaitable<Result<void>> take_over(std::string session_id);
  asio::awaitable<Result<void>> take_over_pushed(SessionSnapshot state, std::string node);
  asio::awaitable<void> announce_load();
  NodeLoad load() const;
  Node own() const;
  bool leaves_to_others(const SessionState& state) const;

  asio::any_io_executor shard_;
  Journal& journal_;
  BlockingThread& blocking_;
  SessionRegistry& sessions_;
  SessionRunners& runners_;
  Peers& peers_;
  const ClusterSessionsOptions options_;
  SharedSessions shared_;
  SessionClaims claims_;
  FileTransfers files_;
  WorkspaceTakeover workspaces_;
  bool is_draining_ = false;
  TaskGroup tasks_;
};

template <class Call>
asio::awaitable<Result<typename Call::Answer>> ClusterSessions::call(std::string node, Call call) {
  auto deadline = options_.command_deadline;
  if (std::is_same_v<Call, CreateCall>) deadline = options_.create_deadline;
  if (std::is_same_v<Call, HookCall>) deadline = options_.hook_deadline;
  auto calling = peers_.call(std::move(node), std::string(Call::kMethod), to_json(call), deadline);
  auto answer = co_await std::move(calling);
  if (answer) co_return parse_call<typename Call::Answer>(*answer);
  Error error = answer.error();
  // Its answer may be lost, but not its effect.
  if (error.kind == ErrorKind::kNodeUnreachable)
    error.hint = std::is_same_v<Call, HookCall> ? kHookHint : "retry with the same request_id";
  co_return error;
}

}  // namespace oriel
