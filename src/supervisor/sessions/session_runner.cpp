#include "supervisor/sessions/session_runner.h"

#include "agent/agent_secrets.h"
#include "base/log.h"
#include "base/text/title.h"
#include "runtime/deadline.h"
#include "runtime/keep_running.h"
#include "supervisor/now.h"
#include "supervisor/sessions/joined_deltas.h"
#include "supervisor/sessions/text_bytes.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

namespace oriel {
namespace {

constexpr std::chrono::seconds kAfterFailure{1};  // until the clock is tried again

std::string describe_failure(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& thrown) {
    return thrown.what();
  }
}

SessionState with_masked_title(SessionState state, const AgentRedactor& redactor) {
  state.title = redactor.mask(std::move(state.title));
  return state;
}

// The stored copy of queued messages is never sent to the agent, so it is masked.
SessionState with_masked_texts(SessionState state, const AgentRedactor& redactor) {
  state.last_text = redactor.mask(std::move(state.last_text));
  for (QueuedMessage& queued : state.queue)
    queued.text = redactor.mask(std::move(queued.text));
  return state;
}

// The last one; empty: none ends.
std::string ended_task(const SessionStep& step) {
  std::string task_id;
  for (const SessionEvent& event : step.events)
    if (std::holds_alternative<event::Completion>(event.payload)) task_id = event.task_id;
  return task_id;
}

Error closing() {
  return {.kind = ErrorKind::kStopping,
          .message = "the session is being ended",
          .hint = "check the session's state, then retry"};
}

}  // namespace

std::shared_ptr<const Redactor> make_redactor(const AgentSpec& spec, const RunnerOptions& options) {
  if (!spec.redact) return nullptr;
  return std::make_shared<const Redactor>(secrets_of(spec, own_environment()),
                                          options.secret_patterns);
}

std::string document_key(const std::string& session_id) {
  return std::string(kSessionDocuments) + session_id;
}

SessionRunner::SessionRunner(asio::any_io_executor shard, Journal& journal, FailureLog& failures,
                             AgentSpec spec, SessionState state, RunnerOptions options,
                             RunnerListener listener, OwnerGuard guard)
    : shard_(shard),
      spec_(std::move(spec)),
      redactor_(make_redactor(spec_, options)),
      session_(with_masked_title(std::move(state), redactor_), spec_.permissions, options.session),
      options_(options),
      listener_(std::move(listener)),
      reader_(guard.is_in_cluster() ? DocumentReader::kOtherNodes : DocumentReader::kRestart),
      agent_changed_(shard),
      rate_limiter_(options.max_event_rate),
      pause_(shard),
      push_(make_push(journal, guard)),
      outbox_(
          shard, journal, failures, thread_, session_.state().session_id,
          [this] { return describe_state(); }, std::move(guard), listener_.on_overtaken),
      stopped_(shard),
      clock_(shard),
      idle_since_(now().steady),
      tasks_(shard) {
  tasks_.spawn("session events", keep_running("session events", [this] { return outbox_.run(); }));
  tasks_.spawn("session agent", run_agents());
  tasks_.spawn("session clock", keep_time());
  if (push_)
    tasks_.spawn("workspace push", keep_running("workspace push", [this] { return push_->run(); }));
}

SessionRunner::~SessionRunner() = default;

std::unique_ptr<WorkspacePush> SessionRunner::make_push(Journal& journal, const OwnerGuard& guard) {
  const SessionState& state = session_.state();
  if (options_.sync == nullptr || !options_.sync->covers(state)) return nullptr;
  PushListener listener{.stored = [this] { return outbox_.settled(); },
                        .on_failure =
                            [this](const std::string& text) {
                              if (phase_ == Phase::kOpen)
                                perform(session_.note(redactor_.mask(text), now()));
                            }};
  return std::make_unique<WorkspacePush>(shard_, journal, *options_.sync, state, guard,
                                         std::move(listener));
}

asio::awaitable<Result<void>> SessionRunner::create() {
  const SteadyTime deadline = command_deadline();
  perform(session_.create(now()));
  co_return co_await outbox_.stored_by(deadline);
}

asio::awaitable<void> SessionRunner::interrupt(Interruption interruption) {
  perform(session_.interrupt(interruption.reason, now(), interruption.turns));
  co_return;
}

asio::awaitable<Result<MessageTaken>> SessionRunner::message(UserMessage said) {
  const SteadyTime deadline = command_deadline();
  const auto accepted = co_await accept_by(deadline);
  if (!accepted) co_return accepted.error();
  set_title(said);
  auto taken = session_.message(std::move(said), now());
  if (!taken) co_return taken.error();
  perform_masked(std::exchange(taken->step, {}));
  auto acknowledgement = acknowledge(*std::move(taken), deadline);
  co_return co_await std::move(acknowledgement);
}

asio::awaitable<Result<MessageTaken>> SessionRunner::say(UserMessage said) {
  const SteadyTime deadline = command_deadline();
  const auto accepted = co_await accept_by(deadline);
  if (!accepted) co_return accepted.error();
  set_title(said);
  auto taken = session_.say(std::move(said), now());
  if (!taken) co_return taken.error();
  perform_masked(std::exchange(taken->step, {}));
  auto acknowledgement = acknowledge(*std::move(taken), deadline);
  co_return co_await std::move(acknowledgement);
}

// Masked as a whole first: the rest of a secret that is cut would no longer look like one.
void SessionRunner::set_title(UserMessage& said) const {
  if (session_.state().title.empty())
    said.title = title_of(redactor_.mask(std::string(title_line(said.text))));
}

// Not held up by a failing journal: it stops the agent's work, and can be repeated.
asio::awaitable<Result<std::string>> SessionRunner::cancel(std::string by) {
  if (phase_ != Phase::kOpen) co_return closing();
  const SteadyTime deadline = command_deadline();
  auto cancelled = session_.cancel(by, now());
  if (!cancelled) co_return cancelled.error();
  perform(std::move(cancelled->step));
  co_return co_await acknowledge(std::move(cancelled->task_id), deadline);
}

asio::awaitable<Result<std::string>> SessionRunner::answer(std::string permission_id,
                                                           Decision decision) {
  const SteadyTime deadline = command_deadline();
  const auto accepted = co_await accept_by(deadline);
  if (!accepted) co_return accepted.error();
  auto answered = session_.answer(permission_id, decision, now());
  if (!answered) co_return answered.error();
  perform_masked(std::move(answered->step));
  std::string status(name_of(answered->status));
  co_return co_await acknowledge(std::move(status), deadline);
}

asio::awaitable<Result<void>> SessionRunner::confirm() {
  return outbox_.stored_by(command_deadline());
}

asio::awaitable<Result<void>> SessionRunner::end(std::string by) {
  const bool has_ended = session_.state().status == SessionStatus::kCompleted;
  if (phase_ != Phase::kOpen && !has_ended) co_return closing();
  if (!has_ended) perform(session_.end(by, now()));
  co_return co_await confirm();
}

asio::awaitable<void> SessionRunner::stop(std::string reason) {
  if (phase_ != Phase::kOpen) {
    while (phase_ != Phase::kStopped)
      co_await stopped_.wait();
    co_return;
  }
  phase_ = Phase::kClosing;
  attempt([&] { perform(session_.interrupt(reason, now())); });
  outbox_.close();
  if (reader_ == DocumentReader::kOtherNodes) tasks_.spawn("last events", abandon_rest());
  carry_out(StopAgent{});
  while (agent_)
    co_await agent_changed_.wait();
  co_await outbox_.settled();
  tasks_.cancel();
  co_await tasks_.joined();
  phase_ = Phase::kStopped;
  stopped_.notify();
}

// Unless they are stored in time.
asio::awaitable<void> SessionRunner::abandon_rest() {
  asio::steady_timer timer(shard_, options_.command_timeout);
  co_await timer.async_wait(asio::use_awaitable);
  log()->warn("session {}: its last events are not stored in time", session_.state().session_id);
  outbox_.abandon();
}

asio::awaitable<void> SessionRunner::fence() {
  is_fenced_ = true;
  auto stopping = stop("another node has taken over the session");
  co_await std::move(stopping);
}

SteadyTime SessionRunner::command_deadline() const {
  return now().steady + options_.command_timeout;
}

// Rejects commands while the journal cannot store them.
asio::awaitable<Result<void>> SessionRunner::accept_by(SteadyTime deadline) {
  if (phase_ != Phase::kOpen) co_return closing();
  const auto writable = co_await outbox_.writable_by(deadline);
  if (!writable) co_return writable.error();
  if (phase_ != Phase::kOpen) co_return closing();
  co_return Result<void>();
}

// Returns the result once it is stored.
template <class T>
asio::awaitable<Result<T>> SessionRunner::acknowledge(T done, SteadyTime deadline) {
  const auto stored = co_await outbox_.stored_by(deadline);
  if (!stored) co_return stored.error();
  co_return Result<T>(boost::system::in_place_value, std::move(done));
}

// Queues events before it runs commands, whose events follow them.
void SessionRunner::perform(SessionStep step) {
  if (!step.events.empty()) {
    if (push_) push_->task_ended(ended_task(step));
    outbox_.put(step, redactor_.rules());
    idle_since_ = now().steady;
  }
  for (const SessionCommand& command : step.commands)
    std::visit([this](const auto& what) { carry_out(what); }, command);
  if (next_wake() < clock_.expiry()) clock_.cancel();
}

// For steps that contain text of users.
void SessionRunner::perform_masked(SessionStep step) {
  redactor_.mask(step);
  perform(std::move(step));
}

void SessionRunner::take(std::vector<AgentEvent> events) {
  if (is_masking_) {
    std::move(events.begin(), events.end(), std::back_inserter(held_back_));
    return;
  }
  perform(session_.on_agent(redactor_.mask(std::move(events)), now()));
}

// Long texts are masked on another thread, so that the shard serves others meanwhile.
asio::awaitable<void> SessionRunner::take_output(std::vector<AgentEvent> events) {
  events = with_joined_deltas(std::move(events));
  if (text_bytes(events) < kLongWork) {
    take(std::move(events));
    co_return;
  }
  is_masking_ = true;
  auto mask = [this, received = std::move(events)]() mutable {
    return redactor_.mask(std::move(received));
  };
  auto masking = thread_.run(std::move(mask));
  Outcome<std::vector<AgentEvent>> masked = co_await outcome_of(std::move(masking));
  is_masking_ = false;
  std::vector<AgentEvent> later = std::exchange(held_back_, {});
  if (masked.failure) std::rethrow_exception(masked.failure);
  if (agent_phase_ != AgentPhase::kRunning) co_return;
  perform(session_.on_agent(*std::move(masked.result), now()));
  if (!later.empty()) take(std::move(later));
}

// The state becomes visible between the commit of its events and their publication: a client that
// has seen them finds at least this state, and one that has seen the state finds them.
StateDocument SessionRunner::describe_state() {
  const SessionSnapshot state = snapshot();
  listener_.on_change(state);
  Document document{.key = document_key(state->session_id),
                    .value = to_document(with_masked_texts(*state, redactor_), reader_)};
  return {.document = std::move(document),
          .on_stored = [on_stored = listener_.on_stored, state] { on_stored(state); }};
}

void SessionRunner::carry_out(const StartAgent& command) {
  wanted_ = command;
  agent_changed_.notify();
}

void SessionRunner::carry_out(const PromptAgent& command) {
  if (agent_) take(agent_->prompt(command.text));
}

void SessionRunner::carry_out(const CancelTask&) {
  if (agent_) take(agent_->cancel());
}

void SessionRunner::carry_out(const AnswerAgent& command) {
  if (agent_) take(agent_->answer(command.permission_id, command.answer));
}

void SessionRunner::carry_out(const StopAgent&) {
  wanted_.reset();
  if (agent_phase_ == AgentPhase::kExited) agent_phase_ = AgentPhase::kStopped;
  if (agent_phase_ != AgentPhase::kRunning) return;
  agent_phase_ = AgentPhase::kStopping;
  pause_.cancel();
  tasks_.spawn("stop agent", stop_agent());
}

asio::awaitable<void> SessionRunner::stop_agent() {
  co_await agent_->stop(is_fenced_ ? AgentStop::kAtOnce : AgentStop::kGently);
  agent_phase_ = AgentPhase::kStopped;
  agent_changed_.notify();
}

// The specification of the next agent, with its token, which is masked from now on.
AgentSpec SessionRunner::spec_with(const std::optional<AgentToken>& token) {
  AgentSpec spec = spec_;
  if (!token) return spec;
  spec.oriel_token = token->secret();
  redactor_ = AgentRedactor(make_redactor(spec, options_));
  return spec;
}

// Runs one agent at a time: the next starts when all processes of the last have ended. A failure
// ends the task and its agent; the next message starts another.
asio::awaitable<void> SessionRunner::run_agents() {
  while (true) {
    while (!wanted_)
      co_await agent_changed_.wait();
    std::string resume_id = std::exchange(wanted_, std::nullopt)->resume_id;
    auto running = run_agent(std::move(resume_id));
    const Outcome<std::string> outcome = co_await outcome_of(std::move(running));
    const auto state = co_await asio::this_coro::cancellation_state;
    const bool is_cancelled = state.cancelled() != asio::cancellation_type::none;
    if (outcome.failure && is_cancelled) std::rethrow_exception(outcome.failure);
    std::string how = outcome.result.value_or("");
    if (outcome.failure) {
      co_await abandon_agent();
      if (agent_phase_ != AgentPhase::kStopped)
        how = "could not be run: " + describe_failure(outcome.failure);
    }
    agent_.reset();
    thread_.release();
    agent_phase_ = AgentPhase::kNone;
    attempt([&] { settle_agent(how); });
    agent_changed_.notify();
  }
}

// The agent has exited. `how` is empty if the session has stopped it.
void SessionRunner::settle_agent(const std::string& how) {
  auto held = redactor_.release();
  if (how.empty()) return;
  if (!held.empty()) perform(session_.on_agent(std::move(held), now()));
  perform(session_.on_agent_gone(redactor_.mask(how), now()));
}

// Ends an agent whose output can no longer be read.
asio::awaitable<void> SessionRunner::abandon_agent() {
  if (!agent_) co_return;
  if (agent_phase_ != AgentPhase::kStopping) {
    agent_phase_ = AgentPhase::kExited;
    co_await agent_->stop();
  }
  while (agent_phase_ == AgentPhase::kStopping)
    co_await agent_changed_.wait();
}

// Logs a failure that no caller can receive, such as a lack of memory. The session continues.
template <class Work>
bool SessionRunner::attempt(Work work) {
  try {
    work();
    return true;
  } catch (const std::exception& failure) {
    log()->error("session {}: {}", session_.state().session_id, failure.what());
    return false;
  }
}

// Returns how it ended; empty if the session has stopped it.
asio::awaitable<std::string> SessionRunner::run_agent(std::string resume_id) {
  std::optional<AgentToken> token;  // of this agent alone
  if (spec_.allow_oriel && options_.tokens.issue)
    token.emplace(options_.tokens, session_.state().session_id);
  agent_ = std::make_unique<Agent>(shard_, spec_with(token), make_adapter(spec_.adapter),
                                   options_.agent);
  agent_phase_ = AgentPhase::kRunning;
  std::filesystem::path workspace = session_.state().workspace;
  const auto started = co_await agent_->start(std::move(workspace), std::move(resume_id));
  std::string how;
  if (!started) how = "could not be started: " + describe(started.error());
  while (how.empty()) {
    AgentOutput output = co_await agent_->next();
    const std::size_t received = output.events.size();
    if (agent_phase_ == AgentPhase::kRunning && received > 0) {
      auto taking = take_output(std::move(output.events));
      co_await std::move(taking);
    }
    co_await outbox_.settled();
    if (output.exit) how = output.exit->describe();
    pause_.expires_at(rate_limiter_.after(received, now().steady));
    const bool reads_on = agent_phase_ == AgentPhase::kRunning && how.empty();
    if (reads_on && pause_.expiry() > now().steady) co_await pause_.async_wait(kNoThrow);
  }
  if (agent_phase_ == AgentPhase::kRunning) {
    agent_phase_ = AgentPhase::kExited;
    co_await agent_->stop();
    if (agent_phase_ == AgentPhase::kExited) co_return how;
  }
  while (agent_phase_ == AgentPhase::kStopping)
    co_await agent_changed_.wait();
  co_return std::string();
}

asio::awaitable<void> SessionRunner::keep_time() {
  while (true) {
    clock_.expires_at(next_wake());
    co_await clock_.async_wait(kNoThrow);
    if (attempt([this] { do_what_is_due(); })) continue;
    clock_.expires_after(kAfterFailure);
    co_await clock_.async_wait(kNoThrow);
  }
}

void SessionRunner::do_what_is_due() {
  perform(session_.tick(now()));
  if (!is_idle() || now().steady < idle_since_ + options_.stop_idle_after) return;
  perform(session_.on_agent_idle(now()));
  carry_out(StopAgent{});
}

SteadyTime SessionRunner::next_wake() const {
  SteadyTime next = session_.wake_at().value_or(SteadyTime::max());
  if (is_idle()) next = std::min(next, idle_since_ + options_.stop_idle_after);
  return next;
}

// Whether the agent may be stopped after a while.
bool SessionRunner::is_idle() const {
  const SessionState& state = session_.state();
  const bool is_at_work = state.status == SessionStatus::kRunning ||
                          state.state == WorkState::kCommanded || !state.pending.empty();
  return options_.stop_idle_after.count() > 0 && agent_phase_ == AgentPhase::kRunning &&
         state.is_live && !is_at_work;
}

}  // namespace oriel
