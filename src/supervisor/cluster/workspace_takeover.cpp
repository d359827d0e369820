#include "supervisor/cluster/workspace_takeover.h"

#include "base/log.h"
#include "runtime/deadline.h"
#include "supervisor/cluster/owner_guard.h"
#include "supervisor/errors.h"

#include <utility>

namespace oriel {
namespace {

// `node` is the lost one.
std::string describe_restored(const std::string& session_id, const PushedWorkspace& pushed,
                              const std::string& node) {
  return "the node " + node + " was lost; the workspace is that of " + format_time(pushed.time) +
         ", from the branch oriel/" + session_id + " (commit " + pushed.commit.substr(0, 12) +
         "); later changes are on that node, and files that git ignores";
}

Error not_restored(const Error& problem) {
  return {.kind = ErrorKind::kWorkspaceFailed,
          .message = "the workspace cannot be restored: " + problem.message,
          .hint = "check the project's remote, then retry"};
}

}  // namespace

WorkspaceTakeover::WorkspaceTakeover(asio::any_io_executor shard, Journal& journal,
                                     SessionRegistry& sessions, SessionClaims& claims,
                                     const Peers& peers, WorkspaceSync* sync,
                                     std::chrono::milliseconds limit)
    : journal_(journal),
      sessions_(sessions),
      claims_(claims),
      peers_(peers),
      sync_(sync),
      limit_(limit),
      changed_(shard) {}

asio::awaitable<std::optional<PushedWorkspace>> WorkspaceTakeover::pushed(SessionSnapshot session) {
  if (sync_ == nullptr || !sync_->can_restore(*session)) co_return std::nullopt;
  const std::string key = pushed_document_key(session->session_id);
  const std::vector<Document> found = co_await journal_.read_documents(key);
  for (const Document& document : found) {
    if (document.key != key) continue;
    auto pushed = parse_pushed_document(document.value);
    if (pushed) co_return *std::move(pushed);
    log()->error("{}: {}", key, pushed.error().message);
  }
  co_return std::nullopt;
}

// Commands that come at once share one restoration.
asio::awaitable<Result<void>> WorkspaceTakeover::take_over(SessionSnapshot session,
                                                           PushedWorkspace pushed,
                                                           std::string reason) {
  const std::string session_id = session->session_id;
  while (under_way_.contains(session_id))
    co_await changed_.wait();
  const SessionEntry* const entry = sessions_.find(session_id);
  if (entry == nullptr) co_return unknown_session(session_id);
  if (sessions_.is_own(*entry)) co_return Result<void>();
  under_way_.insert(session_id);
  auto work = restore_and_claim(std::move(session), std::move(pushed), std::move(reason));
  const Outcome<Result<void>> outcome = co_await outcome_of(std::move(work));
  under_way_.erase(session_id);
  changed_.notify();
  if (outcome.failure) std::rethrow_exception(outcome.failure);
  co_return *outcome.result;
}

asio::awaitable<Result<void>> WorkspaceTakeover::restore_and_claim(SessionSnapshot session,
                                                                   PushedWorkspace pushed,
                                                                   std::string reason) {
  const std::string session_id = session->session_id;
  Claim claim{.session_id = session_id, .owner = peers_.life(), .reason = std::move(reason)};
  claim.notice = describe_restored(session_id, pushed, session->node);
  auto restoring = sync_->restore(session_id, session->project_id, std::move(pushed));
  const auto workspace = co_await with_deadline(limit_, std::move(restoring));
  if (!workspace) co_return not_restored(workspace.error());
  claim.workspace = workspace->string();
  auto claiming = claim_unless_back(std::move(session), std::move(claim));
  const auto claimed = co_await std::move(claiming);
  if (!claimed) co_await sync_->discard(session_id);
  co_return claimed;
}

// Restoring may have taken long.
asio::awaitable<Result<void>> WorkspaceTakeover::claim_unless_back(SessionSnapshot session,
                                                                   Claim claim) {
  const SessionEntry* const entry = sessions_.find(session->session_id);
  if (entry == nullptr) co_return unknown_session(session->session_id);
  if (peers_.find(node_of(entry->owner))) co_return taken_over(session->session_id);
  co_return co_await claims_.claim(std::move(claim));
}

}  // namespace oriel
