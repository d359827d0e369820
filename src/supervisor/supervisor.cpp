#include "supervisor/supervisor.h"

#include "agent/known_agents.h"
#include "agent/sandbox/sandbox.h"
#include "base/log.h"
#include "base/text/quote.h"
#include "posix/process_marker.h"
#include "posix/process_tree.h"
#include "supervisor/now.h"
#include "supervisor/refusals.h"
#include "supervisor/sessions/file_prompt.h"
#include "supervisor/turn_documents.h"

#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <utility>

namespace oriel {
namespace {

constexpr std::chrono::seconds kReapEvery{10};
constexpr std::string_view kRestart =
    "Oriel ended while the agent worked; send a message to go on from where it was";
constexpr std::string_view kShutdown =
    "Oriel was stopped while the agent worked; send a message to go on once it runs again";

std::string problem_of(const AgentSpec& spec) {
  const char* path = std::getenv("PATH");
  if (find_program(spec.command.front(), path == nullptr ? "" : path)) return "";
  const std::string remedy = how_to_install(spec.name);
  return quote(spec.command.front()) + " is not installed or not on PATH" +
         (remedy.empty() ? "" : "; " + remedy);
}

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

// Starts to load stored sessions and to end leftover processes, in parallel with the construction
// of the other modules.
Supervisor::Supervisor(Shards& shards, Journal& journal, SupervisorOptions options)
    : shards_(shards),
      journal_(journal),
      options_(std::move(options)),
      home_(shards[0].executor()),
      found_(std::async(std::launch::async, read_sessions, std::ref(journal))),
      abandoned_(std::async(std::launch::async, end_abandoned)),
      sessions_(options_.limits),
      observer_(shards, journal, sessions_, options_.observer),
      importer_(home_, journal, observer_, options_.import),
      uploads_(options_.uploads),
      tasks_(home_) {}

asio::awaitable<void> Supervisor::start() {
  co_await clean_up();
  co_await restore_all();
  auto is_session = [sessions = sessions_.by_id()](const std::string& id) {
    const auto found = std::lower_bound(
        sessions.begin(), sessions.end(), id,
        [](const SessionSnapshot& one, const auto& wanted) { return one->session_id < wanted; });
    return found != sessions.end() && (*found)->session_id == id;
  };
  co_await uploads_.start(std::move(is_session));
  co_await observer_.start();
  co_await importer_.start();
  tasks_.spawn("orphans", reap_now_and_then());
  co_await forget_oldest();
}

asio::awaitable<void> Supervisor::clean_up() {
  auto take = [this] { return abandoned_.get(); };
  const std::size_t abandoned = co_await blocking_.run(take);
  if (abandoned > 0) log()->warn("{} processes of a killed Oriel's agents are ended", abandoned);
}

asio::awaitable<void> Supervisor::restore_all() {
  auto take = [this] { return found_.get(); };
  std::vector<SessionSnapshot> found = co_await blocking_.run(take);
  for (SessionSnapshot& state : found) {
    if (state->status == SessionStatus::kCompleted)
      sessions_.add(std::move(state));  // over for good: nothing to interrupt
    else
      co_await restore(*state);
  }
  if (sessions_.size() > 0) log()->info("{} sessions found in the journal", sessions_.size());
}

asio::awaitable<void> Supervisor::restore(SessionState state) {
  // Pieces of text are stored without the document: only the journal knows the newest index.
  if (state.is_in_task) {
    SessionQuery newest{.session_id = state.session_id,
                        .after_index = std::numeric_limits<std::int64_t>::max()};
    const SessionPage page = co_await journal_.read_session(std::move(newest));
    state.last_index = page.last_index;
  }
  std::vector<Turn> before;
  if (state.is_in_task) before = co_await read_turns(journal_, blocking_, state.session_id);
  Session session(std::move(state), PermissionMode::kAsk, {});
  SessionStep step = session.interrupt(std::string(kRestart), now());
  const SessionState& restored = session.state();
  if (!step.events.empty()) {
    SessionTurns turns(restored.session_id, restored.project_id);
    const std::size_t own = step.events.size();
    const std::int64_t first = restored.last_index + 1 - static_cast<std::int64_t>(own);
    ToldTurns told = turns.tell(std::move(step.events), first);
    ToldTurns dismissed = SessionTurns::dismiss(before);
    std::move(dismissed.events.begin(), dismissed.events.end(), std::back_inserter(told.events));
    std::move(dismissed.documents.begin(), dismissed.documents.end(),
              std::back_inserter(told.documents));
    session.skip_indexes(told.events.size() - own);
    told.documents.push_back(
        {.key = document_key(restored.session_id), .value = to_document(restored)});
    const auto placed = co_await journal_.append(std::move(told.events), std::move(told.documents));
    if (!placed) log()->error("session {}: {}", restored.session_id, placed.error().message);
  }
  sessions_.add(restored);
}

// Processes that agents left behind and that end by themselves are Oriel's to bury.
asio::awaitable<void> Supervisor::reap_now_and_then() {
  asio::steady_timer timer(home_);
  while (true) {
    timer.expires_after(kReapEvery);
    co_await timer.async_wait(asio::use_awaitable);
    auto reap = [] { reap_orphans(); };
    co_await blocking_.run(reap);
  }
}

asio::awaitable<void> Supervisor::stop() {
  is_stopping_ = true;
  tasks_.cancel();
  co_await tasks_.joined();
  co_await importer_.stop();
  TaskGroup ends(home_);
  ends.spawn("observer", observer_.stop());
  for (const SessionEntry* entry : sessions_.all()) {
    if (!entry->runner) continue;
    auto end = entry->runner->stop(std::string(kShutdown));
    ends.spawn("end of session", finish_on(executor_of(*entry), std::move(end)));
  }
  co_await ends.joined();
  for (SessionEntry* entry : sessions_.all())
    close(*entry);
}

asio::awaitable<Result<SessionMade>> Supervisor::create(NewSession wanted) {
  auto work = create_here(std::move(wanted));
  co_return co_await finish_on(home_, std::move(work));
}

asio::awaitable<Result<MessageTaken>> Supervisor::message(std::string session_id, std::string text,
                                                          std::string request_id) {
  auto work = message_here(std::move(session_id), std::move(text), std::move(request_id));
  co_return co_await finish_on(home_, std::move(work));
}

asio::awaitable<Result<MessageTaken>> Supervisor::say(NewTurn turn) {
  auto work = say_here(std::move(turn));
  co_return co_await finish_on(home_, std::move(work));
}

asio::awaitable<Result<std::string>> Supervisor::cancel(std::string session_id) {
  auto cancel = [](SessionRunner& runner) { return runner.cancel(); };
  auto work = command_here<std::string>(std::move(session_id), cancel);
  co_return co_await finish_on(home_, std::move(work));
}

asio::awaitable<Result<std::string>> Supervisor::answer(std::string session_id,
                                                        std::string permission_id,
                                                        Decision decision) {
  auto answer = [permission_id = std::move(permission_id),
                 decision = std::move(decision)](SessionRunner& runner) mutable {
    return runner.answer(std::move(permission_id), std::move(decision));
  };
  auto work = command_here<std::string>(std::move(session_id), std::move(answer));
  co_return co_await finish_on(home_, std::move(work));
}

asio::awaitable<Result<SessionSnapshot>> Supervisor::end(std::string session_id) {
  auto work = end_here(std::move(session_id));
  co_return co_await finish_on(home_, std::move(work));
}

asio::awaitable<Result<SessionSnapshot>> Supervisor::find(std::string session_id) {
  auto look = [this, session_id = std::move(session_id)]() -> Result<SessionSnapshot> {
    const SessionEntry* const found = sessions_.find(session_id);
    if (found == nullptr) return unknown_session(session_id);
    return found->state;
  };
  co_return co_await run_on(home_, std::move(look));
}

asio::awaitable<std::vector<SessionSnapshot>> Supervisor::list(SessionFilter filter) {
  auto look = [this, filter = std::move(filter)] { return sessions_.list(filter); };
  co_return co_await run_on(home_, std::move(look));
}

asio::awaitable<std::vector<ProjectInfo>> Supervisor::projects() {
  auto look = [this] { return list_projects(options_.projects, sessions_.list({})); };
  co_return co_await run_on(home_, std::move(look));
}

asio::awaitable<Result<std::vector<Turn>>> Supervisor::turns(std::string session_id) {
  const auto found = co_await find(session_id);
  if (!found) co_return found.error();
  co_return co_await read_turns(journal_, blocking_, std::move(session_id));
}

asio::awaitable<Result<std::string>> Supervisor::observe(IncomingHook incoming) {
  auto take = [this, incoming = std::move(incoming)]() mutable {
    return observer_.take(std::move(incoming));
  };
  co_return co_await run_on(home_, std::move(take));
}

asio::awaitable<std::vector<AgentInfo>> Supervisor::agents() {
  auto look = [this] {
    std::vector<AgentInfo> agents;
    for (const AgentSpec& spec : options_.agents)
      agents.push_back({.spec = spec, .problem = problem_of(spec)});
    return agents;
  };
  co_return co_await blocking_.run(look);
}

asio::awaitable<Result<MessageTaken>> Supervisor::message_here(std::string session_id,
                                                               std::string text,
                                                               std::string request_id) {
  auto message = [text = std::move(text),
                  request_id = std::move(request_id)](SessionRunner& runner) mutable {
    return runner.message(std::move(text), std::move(request_id));
  };
  return talk_here(std::move(session_id), std::move(message));
}

asio::awaitable<Result<MessageTaken>> Supervisor::say_here(NewTurn turn) {
  const SessionEntry* const entry = sessions_.find(turn.session_id);
  if (entry == nullptr) co_return unknown_session(turn.session_id);
  if (entry->state->is_observed) co_return observed(turn.session_id);
  const auto spec = spec_for(*entry->state);
  if (!spec) co_return spec.error();
  const TurnOrigin& origin = turn.origin;
  const std::string directory =
      uploads_inside(spec->sandbox, uploads_.directory_of(turn.session_id));
  UserMessage said;
  said.prompt = prompt_with_files(turn.text, origin.files, directory);
  said.text = turn.text.empty() ? text_of_files(origin.files) : std::move(turn.text);
  said.request_id = std::move(turn.request_id);
  said.by = std::move(turn.by);
  said.origin = origin_of(origin);
  auto say = [said = std::move(said)](SessionRunner& runner) mutable {
    return runner.say(std::move(said));
  };
  auto talk = talk_here(std::move(turn.session_id), std::move(say));
  co_return co_await std::move(talk);
}

// A command that may start an agent is subject to the limit of running agents.
asio::awaitable<Result<MessageTaken>> Supervisor::talk_here(
    std::string session_id,
    std::function<asio::awaitable<Result<MessageTaken>>(SessionRunner&)> talk) {
  SessionEntry* const entry = sessions_.find(session_id);
  if (entry == nullptr) co_return unknown_session(session_id);
  if (entry->state->is_observed) co_return observed(session_id);
  const bool needs_room =
      !entry->takes_room() && entry->state->status != SessionStatus::kCompleted && !is_stopping_;
  if (needs_room) {
    if (auto allowed = sessions_.check_limits(entry->state->project_id); !allowed)
      co_return allowed.error();
    entry->is_claimed = true;  // and so it is not forgotten meanwhile
  }
  auto taken = co_await command_here<MessageTaken>(std::move(session_id), std::move(talk));
  if (needs_room) entry->is_claimed = false;
  co_return taken;
}

// Finds the session, opens it, and lets its runner do this, on its shard.
template <class T>
asio::awaitable<Result<T>> Supervisor::command_here(
    std::string session_id, std::function<asio::awaitable<Result<T>>(SessionRunner&)> command) {
  SessionEntry* const entry = sessions_.find(session_id);
  if (entry == nullptr) co_return unknown_session(session_id);
  if (entry->state->is_observed) co_return observed(session_id);
  const auto runner = open(*entry);
  if (!runner) co_return runner.error();
  auto work = command(**runner);
  co_return co_await finish_on(executor_of(*entry), std::move(work));
}

asio::awaitable<Result<SessionSnapshot>> Supervisor::end_here(std::string session_id) {
  SessionEntry* const entry = sessions_.find(session_id);
  if (entry == nullptr) co_return unknown_session(session_id);
  if (entry->state->is_observed) co_return observed(session_id);
  if (entry->state->status == SessionStatus::kCompleted) co_return entry->state;
  const auto runner = open(*entry);
  if (!runner) co_return runner.error();
  const asio::any_io_executor shard = executor_of(*entry);
  auto work = (*runner)->end();
  co_await finish_on(shard, std::move(work));
  auto rest = (*runner)->stop("");
  co_await finish_on(shard, std::move(rest));
  // An ended session may have been forgotten meanwhile.
  SessionEntry* const ended = sessions_.find(session_id);
  if (ended == nullptr) co_return (*runner)->snapshot();
  close(*ended);
  co_return ended->state;
}

// The sessions without work that have rested the longest are no longer listed; their events stay.
asio::awaitable<void> Supervisor::forget_oldest() {
  while (const auto oldest = sessions_.take_oldest()) {
    if (oldest->runner) {
      auto end = oldest->runner->stop("");
      co_await finish_on(executor_of(*oldest), std::move(end));
    }
    co_await uploads_.forget(oldest->state->session_id);
    co_await forget_turns(journal_, oldest->state->session_id);
    std::vector<Document> documents = {
        {.key = document_key(oldest->state->session_id), .value = {}}};
    co_await journal_.append({}, std::move(documents));
  }
}

// The session's runner, made now if nothing of it runs. None is made once stop() has looked at
// them.
Result<std::shared_ptr<SessionRunner>> Supervisor::open(SessionEntry& entry) {
  if (is_stopping_) return stopping();
  if (entry.runner) return entry.runner;
  if (entry.is_being_made) return in_progress(entry.state->session_id);
  if (entry.state->status == SessionStatus::kCompleted) {
    return Error{.kind = ErrorKind::kSessionEnded,
                 .message = "session " + entry.state->session_id + " has ended",
                 .hint = "start a new one"};
  }
  auto spec = spec_for(*entry.state);
  if (!spec) return spec.error();
  make_runner(entry, *std::move(spec));
  return entry.runner;
}

void Supervisor::make_runner(SessionEntry& entry, AgentSpec spec) {
  entry.shard = sessions_.quietest_shard(shards_.size());
  auto on_change = [this](SessionSnapshot state) {
    asio::post(home_, [this, state = std::move(state)] { sessions_.update(state); });
  };
  entry.runner =
      std::make_shared<SessionRunner>(executor_of(entry), journal_, std::move(spec), *entry.state,
                                      options_.runner, std::move(on_change));
}

void Supervisor::close(SessionEntry& entry) {
  entry.runner.reset();
  entry.shard.reset();
}

asio::any_io_executor Supervisor::executor_of(const SessionEntry& entry) {
  return shards_[entry.shard.value()].executor();
}

}  // namespace oriel
