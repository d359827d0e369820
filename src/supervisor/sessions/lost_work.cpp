#include "supervisor/sessions/lost_work.h"

#include "supervisor/now.h"
#include "supervisor/turn_documents.h"

#include <limits>
#include <utility>

namespace oriel {

asio::awaitable<LostWork> find_lost_work(Journal& journal, BlockingThread& blocking,
                                         SessionState state, std::string reason) {
  LostWork lost;
  if (state.is_in_task || state.state == WorkState::kAwaitingInput) {
    // Deltas are stored without the document: only the journal knows the newest index.
    SessionQuery newest{.session_id = state.session_id,
                        .after_index = std::numeric_limits<std::int64_t>::max()};
    const SessionPage page = co_await journal.read_session(std::move(newest));
    state.last_index = page.last_index;
    lost.turns = co_await read_turns(journal, blocking, state.session_id);
  }
  Session session(state, PermissionMode::kAsk, {});
  lost.step = session.interrupt(reason, now(), lost.turns);
  lost.before = std::move(state);
  lost.after = session.state();
  co_return lost;
}

}  // namespace oriel
