#include "supervisor/sessions/session_restorer.h"

#include "base/log.h"
#include "supervisor/sessions/lost_work.h"
#include "supervisor/turn_documents.h"

#include <boost/asio/use_future.hpp>

#include <utility>

namespace oriel {
namespace {

std::vector<SessionSnapshot> read_sessions(Journal& journal) {
  std::vector<SessionSnapshot> sessions;
  auto parse = [&sessions](std::string_view key, std::string_view value) {
    auto state = parse_document(value);
    if (state)
      sessions.push_back(std::make_shared<const SessionState>(*std::move(state)));
    else
      log()->error("{}: {}", key, state.error().message);
  };
  asio::io_context loop(1);
  auto reading =
      asio::co_spawn(loop, journal.visit_documents(document_key(""), parse), asio::use_future);
  loop.run();
  reading.get();
  return sessions;
}

}  // namespace

SessionRestorer::SessionRestorer(Journal& journal, BlockingThread& blocking)
    : journal_(journal),
      blocking_(blocking),
      stored_(std::async(std::launch::async, read_sessions, std::ref(journal))) {}

asio::awaitable<std::vector<RestoredSession>> SessionRestorer::restore_all() {
  auto take = [this] { return stored_.get(); };
  const std::vector<SessionSnapshot> stored = co_await blocking_.run(take);
  std::vector<RestoredSession> sessions;
  for (const SessionSnapshot& session : stored) {
    RestoredSession restored{.session = session};
    const bool can_have_work = session->status != SessionStatus::kCompleted;
    if (can_have_work) restored = co_await restore(*session);
    sessions.push_back(std::move(restored));
  }
  if (!sessions.empty()) log()->info("{} sessions found in the journal", sessions.size());
  co_return sessions;
}

asio::awaitable<RestoredSession> SessionRestorer::restore(SessionState state) {
  LostWork lost =
      co_await find_lost_work(journal_, blocking_, std::move(state), std::string(kRestart));
  RestoredSession restored{.session = std::make_shared<const SessionState>(lost.after)};
  if (lost.step.events.empty()) co_return restored;
  std::vector<Document> documents = to_documents(lost.step.turns);
  documents.push_back(
      {.key = document_key(lost.after.session_id), .value = to_document(lost.after)});
  const auto placed = co_await journal_.append(std::move(lost.step.events), std::move(documents));
  if (placed) co_return restored;
  log()->error("session {}: {}", lost.after.session_id, placed.error().message);
  restored.unstored.emplace();
  restored.unstored->before = std::move(lost.before);
  restored.unstored->reason = kRestart;
  restored.unstored->turns = std::move(lost.turns);
  co_return restored;
}

}  // namespace oriel
