#include "supervisor/sessions/session_restorer.h"

#include "base/log.h"
#include "supervisor/now.h"
#include "supervisor/turn_documents.h"

#include <boost/asio/use_future.hpp>

#include <limits>
#include <utility>

namespace oriel {
namespace {

constexpr std::string_view kRestart =
    "Oriel ended while the agent worked; send a message to go on from where it was";

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
  std::vector<Turn> turns;
  if (state.is_in_task || state.state == WorkState::kAwaitingInput) {
    // Deltas are stored without the document: only the journal knows the newest index.
    SessionQuery newest{.session_id = state.session_id,
                        .after_index = std::numeric_limits<std::int64_t>::max()};
    const SessionPage page = co_await journal_.read_session(std::move(newest));
    state.last_index = page.last_index;
    turns = co_await read_turns(journal_, blocking_, state.session_id);
  }
  Session session(state, PermissionMode::kAsk, {});
  SessionStep step = session.interrupt(std::string(kRestart), now(), turns);
  RestoredSession restored{.session = std::make_shared<const SessionState>(session.state())};
  if (step.events.empty()) co_return restored;
  std::vector<Document> documents = to_documents(step.turns);
  documents.push_back(
      {.key = document_key(state.session_id), .value = to_document(session.state())});
  const auto placed = co_await journal_.append(std::move(step.events), std::move(documents));
  if (placed) co_return restored;
  log()->error("session {}: {}", state.session_id, placed.error().message);
  restored.unstored.emplace();
  restored.unstored->before = std::move(state);
  restored.unstored->reason = kRestart;
  restored.unstored->turns = std::move(turns);
  co_return restored;
}

}  // namespace oriel
