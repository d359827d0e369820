#include "supervisor/cluster/session_claims.h"

#include "journal/to_record.h"
#include "runtime/deadline.h"
#include "supervisor/cluster/owner_guard.h"
#include "supervisor/errors.h"
#include "supervisor/now.h"
#include "supervisor/sessions/lost_work.h"
#include "supervisor/turn_documents.h"

#include <iterator>
#include <utility>

namespace oriel {

namespace {

// After the work has ended.
void move_to(const std::string& workspace, const std::string& notice, LostWork& lost) {
  Session session(std::move(lost.after), PermissionMode::kAsk, {});
  SessionStep step = session.move_to(workspace, notice, now());
  lost.after = session.state();
  std::move(step.events.begin(), step.events.end(), std::back_inserter(lost.step.events));
  std::move(step.turns.begin(), step.turns.end(), std::back_inserter(lost.step.turns));
}

}  // namespace

SessionClaims::SessionClaims(asio::any_io_executor shard, Journal& journal,
                             BlockingThread& blocking, SessionRegistry& sessions)
    : journal_(journal), blocking_(blocking), sessions_(sessions), changed_(shard) {}

asio::awaitable<Result<void>> SessionClaims::claim(Claim claim) {
  const std::string session_id = claim.session_id;
  while (under_way_.contains(session_id))
    co_await changed_.wait();
  const SessionEntry* const entry = sessions_.find(session_id);
  if (entry == nullptr) co_return unknown_session(session_id);
  if (sessions_.is_own(*entry) || entry->owner == claim.owner) co_return Result<void>();
  under_way_.insert(session_id);
  std::string before = entry->owner;
  auto taking = take(std::move(claim), std::move(before));
  const Outcome<Result<void>> outcome = co_await outcome_of(std::move(taking));
  under_way_.erase(session_id);
  changed_.notify();
  if (outcome.failure) std::rethrow_exception(outcome.failure);
  co_return *outcome.result;
}

asio::awaitable<Result<void>> SessionClaims::take(Claim claim, std::string before) {
  const std::string key = document_key(claim.session_id);
  std::string document = co_await stored(key);
  auto state = parse_document(document);
  if (!state) co_return state.error();
  LostWork lost = co_await find_lost_work(journal_, blocking_, *std::move(state), claim.reason);
  if (!claim.workspace.empty()) move_to(claim.workspace, claim.notice, lost);
  Proposal proposal{.records = to_records(std::move(lost.step.events))};
  // A frozen owner may have come back since: then its session is at work, and stays its own.
  proposal.guards = {{.key = owner_document_key(claim.session_id), .value = std::move(before)},
                     {.key = key, .value = std::move(document)}};
  proposal.documents = to_documents(lost.step.turns);
  proposal.documents.push_back({.key = owner_document_key(claim.session_id), .value = claim.owner});
  proposal.documents.push_back(
      {.key = key, .value = to_document(lost.after, DocumentReader::kOtherNodes)});
  auto appending = journal_.append(std::move(proposal));
  const auto placed = co_await std::move(appending);
  if (!placed) co_return placed.error();
  if (placed->empty()) co_return Result<void>();
  const auto last_index = static_cast<std::int64_t>(placed->back()->index);
  if (last_index != lost.after.last_index) {
    auto correcting = correct_index(std::move(claim), std::move(lost.after), last_index);
    co_await std::move(correcting);
  }
  co_return Result<void>();
}

// The owner has stored pieces of text meanwhile, without its document.
asio::awaitable<void> SessionClaims::correct_index(Claim claim, SessionState after,
                                                   std::int64_t last_index) {
  after.last_index = last_index;
  Proposal correction;
  correction.guards = {{.key = owner_document_key(claim.session_id), .value = claim.owner}};
  correction.documents = {{.key = document_key(claim.session_id),
                           .value = to_document(after, DocumentReader::kOtherNodes)}};
  auto appending = journal_.append(std::move(correction));
  co_await std::move(appending);
}

// The value of a document; empty: there is none.
asio::awaitable<std::string> SessionClaims::stored(std::string key) {
  std::vector<Document> found = co_await journal_.read_documents(key);
  for (Document& document : found) {
    if (document.key == key) co_return std::move(document.value);
  }
  co_return std::string();
}

}  // namespace oriel
