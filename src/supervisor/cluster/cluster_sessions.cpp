#include "supervisor/cluster/cluster_sessions.h"

#include "base/log.h"
#include "base/text/quote.h"
#include "journal/append_errors.h"
#include "supervisor/cluster/owner_guard.h"
#include "supervisor/errors.h"
#include "supervisor/sessions/session_restorer.h"
#include "supervisor/sessions/workspace.h"

#include <algorithm>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace oriel {
namespace {

constexpr std::chrono::seconds kAnnounceEvery{1};
constexpr std::chrono::seconds kRetryClaim{1};

// Whether the end of its process has interrupted something.
bool is_at_work(const SessionState& state) {
  return state.is_in_task || !state.queue.empty() || state.status == SessionStatus::kRunning ||
         (state.state != WorkState::kIdle && state.state != WorkState::kComplete);
}

// In [0, max].
std::chrono::milliseconds random_delay(std::chrono::milliseconds max) {
  std::random_device source;
  std::uniform_int_distribution<std::chrono::milliseconds::rep> delay(0, max.count());
  return std::chrono::milliseconds(delay(source));
}

// `goes_on`: the session's workspace is here, too. `pushed`: it can be restored.
std::string loss_reason(const std::string& node, bool goes_on,
                        const std::optional<PushedWorkspace>& pushed) {
  const std::string lost = "the node " + node + " was lost while the agent worked; ";
  if (goes_on) return lost + "send a message to go on from where it was";
  if (pushed)
    return lost + "send a message to go on from the workspace of " + format_time(pushed->time);
  return lost + "its workspace is there: send a message once that node is back, or start a " +
         "follow-up session on another one";
}

Error unreachable(const std::string& session_id, const std::string& node, const std::string& reason,
                  const char* hint =
                      "retry once that node is back, or start a follow-up session "
                      "on another one") {
  return {.kind = ErrorKind::kNodeUnreachable,
          .message = "session " + session_id + " is on the node " + quote(node) +
                     ", which cannot be reached" + reason,
          .hint = hint};
}

Error workspace_slow() {
  return {.kind = ErrorKind::kWorkspaceFailed,
          .message = "the workspace could not be restored in time",
          .hint = "check the project's remote, then retry"};
}

Error unknown_node(const std::string& node) {
  return {.kind = ErrorKind::kNodeUnreachable,
          .message = "node: " + quote(node) + " cannot be reached",
          .hint = "leave it out, or choose a node that oriel cluster status lists"};
}

RequestKey request_of(const NewSession& wanted) {
  return {.owner = wanted.by, .project_id = wanted.project_id, .request_id = wanted.request_id};
}

}  // namespace

ClusterSessions::ClusterSessions(asio::any_io_executor shard, Journal& journal,
                                 BlockingThread& blocking, SessionRegistry& sessions,
                                 SessionRunners& runners, Uploads& uploads, Peers& peers,
                                 ClusterSessionsOptions options, WorkspaceSync* sync)
    : shard_(shard),
      journal_(journal),
      blocking_(blocking),
      sessions_(sessions),
      runners_(runners),
      peers_(peers),
      options_(options),
      shared_(shard, journal, sessions, peers,
              [&runners](SessionEntry& entry) { runners.fence(entry); }),
      claims_(shard, journal, blocking, sessions),
      files_(shard, peers, uploads, options_.files),
      workspaces_(shard, journal, sessions, claims_, peers, sync, options.create_deadline),
      tasks_(shard) {
  peers_.on_lost([this](const Node& node) { note_lost(node); });
}

asio::awaitable<void> ClusterSessions::load_sessions() {
  co_await shared_.load();
}

asio::awaitable<void> ClusterSessions::start() {
  if (options_.is_founder) co_await adopt_observed();
  files_.start();
  tasks_.spawn("claims of this node", claim_own());
  tasks_.spawn("load of this node", announce_load());
}

void ClusterSessions::drain() {
  is_draining_ = true;
  peers_.announce(load());
}

asio::awaitable<void> ClusterSessions::stop() {
  is_draining_ = true;
  tasks_.cancel();
  co_await tasks_.joined();
  co_await files_.stop();
}

asio::awaitable<Result<std::string>> ClusterSessions::route(std::string session_id) {
  const auto here = [] { return Result<std::string>(boost::system::in_place_value, ""); };
  const SessionEntry* const entry = sessions_.find(session_id);
  // No runner is needed to say that there is none, or that it has ended.
  if (entry == nullptr || entry->state->is_observed || sessions_.is_own(*entry) ||
      entry->state->status == SessionStatus::kCompleted)
    co_return here();
  std::string node = node_of(entry->owner);
  if (node != peers_.self() && peers_.find(node)) co_return node;
  Result<void> claimed;
  if (node == peers_.self())
    claimed = co_await claim_for_command(session_id, std::string(kRestart));
  else
    claimed = co_await take_over(session_id);
  if (!claimed) co_return claimed.error();
  co_return here();
}

asio::awaitable<Result<void>> ClusterSessions::admit(std::string session_id) {
  const SessionEntry* const entry = sessions_.find(session_id);
  if (entry == nullptr || sessions_.is_own(*entry)) co_return Result<void>();
  if (!sessions_.is_at_home(*entry)) co_return taken_over(session_id);
  co_return co_await claim_for_command(session_id, std::string(kRestart));
}

asio::awaitable<Result<std::string>> ClusterSessions::place(NewSession wanted,
                                                            std::set<std::string> full) {
  if (!wanted.request_id.empty()) {
    const SessionEntry* const known = sessions_.created_by(request_of(wanted));
    if (known != nullptr) {
      std::string session_id = known->state->session_id;
      co_return co_await route(std::move(session_id));
    }
  }
  if (wanted.node.empty())
    co_return choose_node(options_.placement, own(), peers_.alive(), wanted.node_labels, full);
  const bool is_here = wanted.node == peers_.self();
  const auto node = is_here ? own() : peers_.find(wanted.node);
  if (!node) co_return unknown_node(wanted.node);
  if (!has_labels(node->labels, wanted.node_labels))
    co_return lacks_labels(*node, wanted.node_labels);
  co_return is_here ? std::string() : std::move(wanted.node);
}

asio::awaitable<Result<MessageTaken>> ClusterSessions::call(std::string node, SayCall call) {
  if (call.upload) {
    auto sending = files_.send(node, call.upload);
    auto sent = co_await std::move(sending);
    if (!sent) co_return sent.error();
    call.transfer_id = *std::move(sent);
  }
  auto calling = this->call<SayCall>(std::move(node), std::move(call));
  co_return co_await std::move(calling);
}

ClusterSessions::FilePlaces ClusterSessions::places_of_files(const std::string& session_id) {
  const SessionEntry* const entry = sessions_.find(session_id);
  const std::string owner = entry == nullptr ? std::string() : node_of(entry->owner);
  const bool is_elsewhere = !owner.empty() && owner != peers_.self();
  FilePlaces places;
  if (is_elsewhere && peers_.find(owner)) places.nodes.push_back(owner);
  if (is_elsewhere && places.nodes.empty())
    places.lost =
        unreachable(session_id, owner, "; its files are there", "retry once that node is back");
  places.nodes.emplace_back();
  for (const Node& node : peers_.alive()) {
    if (node.name != owner) places.nodes.push_back(node.name);
  }
  return places;
}

Result<std::string> ClusterSessions::node_observing(const std::string& agent_session_id) {
  const SessionEntry* const entry = sessions_.find_observed(agent_session_id);
  if (entry == nullptr || sessions_.is_at_home(*entry))
    return Result<std::string>(boost::system::in_place_value, "");
  const std::string node = node_of(entry->owner);
  if (!peers_.find(node))
    return unreachable(entry->state->session_id, node, "; its transcript is there", kHookHint);
  return node;
}

void ClusterSessions::note_lost(const Node& node) {
  shared_.forget_agents_of(node.life);
  if (!is_draining_) tasks_.spawn("claims of a lost node", claim_lost(node));
}

// Observed sessions from before the cluster belong to the node that has been alone.
asio::awaitable<void> ClusterSessions::adopt_observed() {
  std::vector<Proposal> adoptions;
  for (const SessionEntry* const entry : sessions_.all()) {
    if (!entry->state->is_observed || !entry->owner.empty()) continue;
    const std::string& session_id = entry->state->session_id;
    Proposal& adoption = adoptions.emplace_back();
    OwnerGuard::of_new(session_id, owner_at_rest(peers_.self())).add_to(adoption);
  }
  for (Proposal& adoption : adoptions) {
    auto appending = journal_.append(std::move(adoption));
    co_await std::move(appending);
  }
}

// What earlier lives of this node have left at work; the rest is claimed by the first command.
asio::awaitable<void> ClusterSessions::claim_own() {
  std::vector<std::pair<std::string, std::string>> left;  // sessions and their owners
  for (const SessionEntry* const entry : sessions_.all()) {
    if (entry->state->is_observed || sessions_.is_own(*entry)) continue;
    const bool is_adopted = options_.is_founder && entry->owner.empty();
    const bool is_left = sessions_.is_at_home(*entry) && is_at_work(*entry->state);
    if (is_adopted || is_left) left.emplace_back(entry->state->session_id, entry->owner);
  }
  for (const auto& [session_id, from] : left) {
    auto claiming = claim_left(session_id, from, peers_.life(), std::string(kRestart));
    co_await std::move(claiming);
  }
}

// Several nodes try; all but one are overtaken.
asio::awaitable<void> ClusterSessions::claim_lost(Node node) {
  asio::steady_timer timer(shard_, random_delay(options_.max_claim_delay));
  co_await timer.async_wait(asio::use_awaitable);
  for (const std::string& session_id : sessions_.ids()) {
    const SessionEntry* const entry = sessions_.find(session_id);
    const bool is_left = entry != nullptr && entry->owner == node.life &&
                         !entry->state->is_observed && is_at_work(*entry->state);
    if (!is_left) continue;
    const SessionSnapshot state = entry->state;
    if (leaves_to_others(*state)) continue;
    // Without its workspace nobody else goes on, but its work has ended.
    const bool goes_on = co_await has_workspace(state->workspace);
    const auto pushed = co_await workspaces_.pushed(state);
    const std::string owner = goes_on ? peers_.life() : owner_at_rest(node.name);
    auto claiming =
        claim_left(session_id, node.life, owner, loss_reason(node.name, goes_on, pushed));
    const bool is_claimed = co_await std::move(claiming);
    if (is_claimed)
      log()->info("session {}: interrupted, because the node {} was lost", session_id, node.name);
  }
}

// As long as the session is of the life that has left it: the log may be unreachable meanwhile.
asio::awaitable<bool> ClusterSessions::claim_left(std::string session_id, std::string from,
                                                  std::string owner, std::string reason) {
  asio::steady_timer timer(shard_);
  while (true) {
    const SessionEntry* const entry = sessions_.find(session_id);
    if (entry == nullptr || entry->owner != from) co_return false;
    auto claiming = claim(session_id, owner, reason);
    const auto claimed = co_await std::move(claiming);
    if (claimed) co_return true;
    const ErrorKind problem = claimed.error().kind;
    if (problem != ErrorKind::kOvertaken)
      log()->error("session {}: {}", session_id, describe(claimed.error()));
    if (problem != ErrorKind::kJournalFailed && problem != ErrorKind::kJournalBusy) co_return false;
    timer.expires_after(kRetryClaim);
    co_await timer.async_wait(asio::use_awaitable);
  }
}

asio::awaitable<bool> ClusterSessions::has_workspace(std::string directory) {
  if (!options_.has_shared_workspaces) co_return false;
  auto check = [directory = std::move(directory)] {
    return check_workspace(directory).has_value();
  };
  co_return co_await blocking_.run(std::move(check));
}

asio::awaitable<Result<void>> ClusterSessions::claim(std::string session_id, std::string owner,
                                                     std::string reason) {
  Claim claim{
      .session_id = std::move(session_id), .owner = std::move(owner), .reason = std::move(reason)};
  auto claiming = claims_.claim(std::move(claim));
  co_return co_await std::move(claiming);
}

// The log may be unreachable for long.
asio::awaitable<Result<void>> ClusterSessions::claim_for_command(std::string session_id,
                                                                 std::string reason) {
  auto claiming = claim(std::move(session_id), peers_.life(), std::move(reason));
  try {
    co_return co_await with_deadline(options_.command_deadline, std::move(claiming));
  } catch (const TimedOut&) {
    co_return journal_busy();
  }
}

// For a command to a session whose node is gone.
asio::awaitable<Result<void>> ClusterSessions::take_over(std::string session_id) {
  const SessionEntry& entry = *sessions_.find(session_id);
  const SessionSnapshot state = entry.state;
  const std::string node = node_of(entry.owner);
  if (!options_.has_shared_workspaces) co_return co_await take_over_pushed(state, node);
  const auto spec = runners_.spec_for(*state);
  if (!spec) co_return spec.error();
  if (!has_labels(options_.labels, spec->node_labels))
    co_return lacks_labels(own(), spec->node_labels);
  auto check = [directory = state->workspace] { return check_workspace(directory); };
  const auto workspace = co_await blocking_.run(std::move(check));
  if (!workspace) co_return unreachable(session_id, node, "; " + workspace.error().message);
  std::string reason = loss_reason(node, true, std::nullopt);
  auto claiming = claim_for_command(std::move(session_id), std::move(reason));
  co_return co_await std::move(claiming);
}

// In what the lost node has pushed last.
asio::awaitable<Result<void>> ClusterSessions::take_over_pushed(SessionSnapshot state,
                                                                std::string node) {
  auto pushed = co_await workspaces_.pushed(state);
  if (!pushed) co_return unreachable(state->session_id, node, "; its workspace is there");
  const auto spec = runners_.spec_for(*state);
  if (!spec) co_return spec.error();
  if (!has_labels(options_.labels, spec->node_labels))
    co_return lacks_labels(own(), spec->node_labels);
  std::string reason = loss_reason(node, false, pushed);
  auto taking = workspaces_.take_over(std::move(state), *std::move(pushed), std::move(reason));
  try {
    co_return co_await std::move(taking);
  } catch (const TimedOut&) {
    co_return workspace_slow();
  }
}

asio::awaitable<void> ClusterSessions::announce_load() {
  asio::steady_timer timer(shard_);
  while (true) {
    peers_.announce(load());
    timer.expires_after(kAnnounceEvery);
    co_await timer.async_wait(asio::use_awaitable);
  }
}

NodeLoad ClusterSessions::load() const {
  return {.is_draining = is_draining_,
          .sessions = sessions_.active(),
          .max_sessions = sessions_.limits().max_sessions};
}

Node ClusterSessions::own() const {
  return {.name = peers_.self(), .life = peers_.life(), .labels = options_.labels, .load = load()};
}

// Its agent cannot run here, but on another node.
bool ClusterSessions::leaves_to_others(const SessionState& state) const {
  const auto spec = runners_.spec_for(state);
  if (!spec || has_labels(options_.labels, spec->node_labels)) return false;
  const std::vector<Node> others = peers_.alive();
  return std::any_of(others.begin(), others.end(),
                     [&](const Node& node) { return has_labels(node.labels, spec->node_labels); });
}

}  // namespace oriel
