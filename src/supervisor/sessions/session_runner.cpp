#include "supervisor/sessions/session_runner.h"

#include "base/log.h"
#include "supervisor/now.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace oriel {
namespace {

constexpr std::chrono::milliseconds kStoreAgain{200};

// Pieces of text and of tools pass by too often to be told of one by one.
bool changes_state(const std::vector<SessionEvent>& events) {
  return std::any_of(events.begin(), events.end(),
                     [](const SessionEvent& event) { return event.type != "delta"; });
}

Error closing() {
  return {.kind = ErrorKind::kStopping,
          .message = "the session is being ended",
          .hint = "look at its state, and send it again if it still stands"};
}

}  // namespace

std::string document_key(const std::string& session_id) {
  return "session/" + session_id;
}

SessionRunner::SessionRunner(asio::any_io_executor shard, Journal& journal, AgentSpec spec,
                             SessionState state, RunnerOptions options,
                             std::function<void(SessionSnapshot)> on_change)
    : shard_(shard),
      journal_(journal),
      spec_(std::move(spec)),
      session_(std::move(state), spec_.permissions, options.session),
      turns_(session_.state().session_id, session_.state().project_id),
      options_(options),
      on_change_(std::move(on_change)),
      agent_changed_(shard),
      pace_(options.max_event_rate),
      pause_(shard),
      outbox_changed_(shard),
      stored_changed_(shard),
      clock_(shard),
      idle_since_(now().steady),
      tasks_(shard) {
  tasks_.spawn("session events", store_events());
  tasks_.spawn("session agent", run_agents());
  tasks_.spawn("session clock", keep_time());
}

SessionRunner::~SessionRunner() = default;

asio::awaitable<void> SessionRunner::create() {
  perform(session_.create(now()));
  co_await stored();
}

asio::awaitable<Result<MessageTaken>> SessionRunner::message(std::string text,
                                                             std::string request_id) {
  if (is_closing_) co_return closing();
  auto taken = session_.message(std::move(text), request_id, now());
  if (!taken) co_return taken.error();
  perform(std::exchange(taken->step, {}));
  co_await stored();
  co_return taken;
}

asio::awaitable<Result<MessageTaken>> SessionRunner::say(UserMessage said) {
  if (is_closing_) co_return closing();
  auto taken = session_.say(std::move(said), now());
  if (!taken) co_return taken.error();
  perform(std::exchange(taken->step, {}));
  co_await stored();
  co_return taken;
}

asio::awaitable<Result<std::string>> SessionRunner::cancel() {
  if (is_closing_) co_return closing();
  auto cancelled = session_.cancel(now());
  if (!cancelled) co_return cancelled.error();
  perform(std::move(cancelled->step));
  co_await stored();
  co_return Result<std::string>(boost::system::in_place_value, cancelled->task_id);
}

asio::awaitable<Result<std::string>> SessionRunner::answer(std::string permission_id,
                                                           Decision decision) {
  if (is_closing_) co_return closing();
  auto answered = session_.answer(permission_id, decision, now());
  if (!answered) co_return answered.error();
  perform(std::move(answered->step));
  co_await stored();
  co_return Result<std::string>(boost::system::in_place_value, answered->status);
}

asio::awaitable<void> SessionRunner::end() {
  if (is_closing_) co_return;
  perform(session_.end(now()));
  co_await stored();
}

asio::awaitable<void> SessionRunner::stop(std::string reason) {
  if (is_closing_) co_return;
  is_closing_ = true;
  perform(session_.interrupt(reason, now()));
  wanted_.reset();
  carry_out(StopAgent{});
  while (agent_)
    co_await agent_changed_.wait();
  co_await stored();
  tasks_.cancel();
  co_await tasks_.joined();
}

// Events first, so that whatever the commands bring comes after them.
void SessionRunner::perform(SessionStep step) {
  if (!step.events.empty()) {
    put(std::move(step.events));
    idle_since_ = now().steady;
  }
  for (const SessionCommand& command : step.commands)
    std::visit([this](const auto& what) { carry_out(what); }, command);
  if (next_wake() < clock_.expiry()) clock_.cancel();
}

// With what they say of turns.
void SessionRunner::put(std::vector<SessionEvent> events) {
  const std::size_t own = events.size();
  const std::int64_t first = session_.state().last_index + 1 - static_cast<std::int64_t>(own);
  ToldTurns told = turns_.tell(std::move(events), first);
  session_.skip_indexes(told.events.size() - own);
  put_ += told.events.size();
  std::move(told.events.begin(), told.events.end(), std::back_inserter(outbox_.events));
  std::move(told.documents.begin(), told.documents.end(), std::back_inserter(outbox_.documents));
  outbox_changed_.notify();
}

void SessionRunner::carry_out(const StartAgent& command) {
  wanted_ = command;
  agent_changed_.notify();
}

void SessionRunner::carry_out(const PromptAgent& command) {
  if (agent_) perform(session_.on_agent(agent_->prompt(command.text), now()));
}

void SessionRunner::carry_out(const CancelTask&) {
  if (agent_) perform(session_.on_agent(agent_->cancel(), now()));
}

void SessionRunner::carry_out(const AnswerAgent& command) {
  if (agent_)
    perform(session_.on_agent(agent_->answer(command.permission_id, command.answer), now()));
}

void SessionRunner::carry_out(const StopAgent&) {
  wanted_.reset();
  if (!agent_ || is_agent_dismissed_) return;
  is_agent_dismissed_ = true;
  pause_.cancel();
  if (is_stopping_agent_) return;
  is_stopping_agent_ = true;
  tasks_.spawn("session agent's end", stop_agent());
}

asio::awaitable<void> SessionRunner::stop_agent() {
  co_await agent_->stop();
  is_stopping_agent_ = false;
  agent_changed_.notify();
}

// One agent after another: the next is started only when the last has left nothing behind.
asio::awaitable<void> SessionRunner::run_agents() {
  while (true) {
    while (!wanted_)
      co_await agent_changed_.wait();
    std::string resume_id = std::exchange(wanted_, std::nullopt)->resume_id;
    is_agent_dismissed_ = false;
    agent_ = std::make_unique<Agent>(shard_, spec_, make_adapter(spec_.adapter), options_.agent);
    const std::string how = co_await run_agent(std::move(resume_id));
    agent_.reset();
    if (!how.empty()) perform(session_.on_agent_gone(how, now()));
    agent_changed_.notify();
  }
}

// Returns how it ended; empty when it was told to.
asio::awaitable<std::string> SessionRunner::run_agent(std::string resume_id) {
  std::filesystem::path workspace = session_.state().workspace;
  const auto started = co_await agent_->start(std::move(workspace), std::move(resume_id));
  std::string how;
  if (!started) how = "could not be started: " + describe(started.error());
  while (how.empty()) {
    AgentOutput output = co_await agent_->next();
    const std::size_t said = output.events.size();
    if (!is_agent_dismissed_ && said > 0)
      perform(session_.on_agent(std::move(output.events), now()));
    co_await stored();
    if (output.exit) how = output.exit->describe();
    pause_.expires_at(pace_.after(said, now().steady));
    if (!is_agent_dismissed_ && how.empty() && pause_.expiry() > now().steady)
      co_await pause_.async_wait(kNoThrow);
  }
  if (!is_agent_dismissed_) {
    is_stopping_agent_ = true;
    co_await agent_->stop();
    is_stopping_agent_ = false;
    if (!is_agent_dismissed_) co_return how;
  }
  while (is_stopping_agent_)
    co_await agent_changed_.wait();
  co_return std::string();
}

asio::awaitable<void> SessionRunner::store_events() {
  while (true) {
    while (outbox_.events.empty())
      co_await outbox_changed_.wait();
    const ToldTurns told = std::exchange(outbox_, {});
    // Before anyone can see the events: who has seen them finds at least this state.
    if (changes_state(told.events)) on_change_(snapshot());
    while (!co_await store(told)) {
      asio::steady_timer timer(shard_, kStoreAgain);
      co_await timer.async_wait(asio::use_awaitable);
    }
    stored_ += told.events.size();
    stored_changed_.notify();
  }
}

// False: to be tried again.
asio::awaitable<bool> SessionRunner::store(const ToldTurns& told) {
  std::vector<Document> documents = told.documents;
  const SessionState& state = session_.state();
  if (changes_state(told.events) && outbox_.events.empty())
    documents.push_back({.key = document_key(state.session_id), .value = to_document(state)});
  std::vector<SessionEvent> copies = told.events;
  const auto placed = co_await journal_.append(std::move(copies), std::move(documents));
  if (placed) co_return true;
  log()->error("session {}: {} events wait: {}", state.session_id, told.events.size(),
               placed.error().message);
  co_return is_closing_;
}

// What was put into the outbox until now has reached the journal.
asio::awaitable<void> SessionRunner::stored() {
  const std::uint64_t goal = put_;
  while (stored_ < goal)
    co_await stored_changed_.wait();
}

asio::awaitable<void> SessionRunner::keep_time() {
  while (true) {
    clock_.expires_at(next_wake());
    co_await clock_.async_wait(kNoThrow);
    perform(session_.tick(now()));
    if (may_rest() && now().steady >= idle_since_ + options_.rest_after) {
      perform(session_.on_agent_rested(now()));
      carry_out(StopAgent{});
    }
  }
}

SteadyTime SessionRunner::next_wake() const {
  SteadyTime next = session_.wake_at().value_or(SteadyTime::max());
  if (may_rest()) next = std::min(next, idle_since_ + options_.rest_after);
  return next;
}

bool SessionRunner::may_rest() const {
  const SessionState& state = session_.state();
  const bool is_at_work = state.status == SessionStatus::kRunning ||
                          state.state == WorkState::kCommanded || !state.pending.empty();
  return options_.rest_after.count() > 0 && state.is_live && !is_at_work && !is_stopping_agent_;
}

}  // namespace oriel
