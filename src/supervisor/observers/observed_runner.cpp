#include "supervisor/observers/observed_runner.h"

#include "base/log.h"
#include "supervisor/now.h"
#include "supervisor/observers/observed_session.h"
#include "supervisor/turn_documents.h"

#include <utility>

namespace oriel {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kStoreAgain{200};
// An ended agent's last lines and hooks have come by then.
constexpr seconds kLinger{30};
// An agent of which no process is known, and of which nothing is heard for so long, is let go of.
constexpr hours kForgotten{1};

}  // namespace

ObservedRunner::ObservedRunner(asio::any_io_executor shard, ObserverContext context,
                               ObservedState first, std::function<void(SessionSnapshot)> on_change)
    : shard_(shard),
      context_(context),
      first_(std::move(first)),
      on_change_(std::move(on_change)),
      queue_changed_(shard),
      reader_changed_(shard),
      active_at_(now().steady),
      outbox_changed_(shard),
      stored_changed_(shard),
      tasks_(shard) {
  tasks_.spawn("observed agent's hooks", run_hooks());
  tasks_.spawn("observed agent's transcript", follow());
  tasks_.spawn("observed agent's clock", keep_time());
  tasks_.spawn("observed agent's events", store_steps());
}

ObservedRunner::~ObservedRunner() = default;

// An empty queue takes any hook.
bool ObservedRunner::reserve(std::size_t bytes) {
  const std::size_t before = queued_bytes_.fetch_add(bytes);
  if (before == 0 || before + bytes <= context_.options.max_queued_bytes) return true;
  queued_bytes_ -= bytes;
  return false;
}

void ObservedRunner::take(IncomingHook incoming) {
  queue_.push_back(std::move(incoming));
  queue_changed_.notify();
}

asio::awaitable<void> ObservedRunner::stop() {
  if (is_closing_) co_return;
  is_closing_ = true;
  queue_changed_.notify();
  while (agent_ && queued_bytes_ > 0)
    co_await stored_changed_.wait();
  co_await stored();
  tasks_.cancel();
  co_await tasks_.joined();
  tail_.reset();  // here: its watch is of this shard
}

asio::awaitable<void> ObservedRunner::run_hooks() {
  co_await load();
  while (true) {
    while (queue_.empty())
      co_await queue_changed_.wait();
    if (!agent_) co_await load();
    // All that wait become one append.
    while (!queue_.empty()) {
      IncomingHook incoming = std::move(queue_.front());
      queue_.pop_front();
      co_await run_hook(std::move(incoming));
    }
    wake_reader();
    co_await stored();
    stored_changed_.notify();  // stop() waits for the empty queue, too
  }
}

asio::awaitable<void> ObservedRunner::run_hook(IncomingHook incoming) {
  HookEvent& hook = incoming.hook;
  const bool is_new_process = hook.pid && hook.pid != agent_->state().pid;
  if (is_new_process) {
    auto look = [pid = *hook.pid] { return AgentProcess::is_here(pid); };
    if (!co_await context_.files.run(look)) hook.pid.reset();
  }
  co_await find_project_of(hook.cwd);
  active_at_ = now().steady;
  attempt([&] { return agent_->on_hook(hook, incoming.at); });
  queued_bytes_ -= incoming.bytes;
}

// What the journal knows of it.
asio::awaitable<void> ObservedRunner::load() {
  const std::string key = observed_document_key(first_.session_id);
  ObservedState state = first_;
  const std::vector<Document> own = co_await context_.journal.read_documents(key);
  for (const Document& document : own) {
    if (document.key != key) continue;
    if (auto known = parse_observed_document(document.value))
      state = *std::move(known);
    else
      log()->error("{}: {}", key, known.error().message);
  }
  const std::vector<Turn> turns =
      co_await read_turns(context_.journal, context_.files, first_.session_id);
  agent_ = std::make_unique<ObservedAgent>(std::move(state), turns, context_.options.limits);
  active_at_ = now().steady;
  reader_changed_.notify();
}

asio::awaitable<void> ObservedRunner::find_project_of(std::string cwd) {
  if (cwd.empty() || !agent_->state().project_id.empty()) co_return;
  auto find = [cwd = std::move(cwd), &projects = context_.options.projects] {
    return project_at(cwd, projects);
  };
  const Project project = co_await context_.files.run(std::move(find));
  agent_->join_project(project);
}

asio::awaitable<void> ObservedRunner::keep_time() {
  asio::steady_timer timer(shard_);
  while (true) {
    timer.expires_after(context_.options.tick_every);
    co_await timer.async_wait(asio::use_awaitable);
    if (!agent_) continue;
    auto look = [this, pid = agent_->state().pid, active_at = agent_->state().active_at] {
      return process_.look(pid, active_at);
    };
    const Liveness liveness = co_await context_.files.run(std::move(look));
    if (!agent_) continue;
    attempt([&] { return agent_->tick(now(), liveness); });
    if (may_rest()) rest();
  }
}

bool ObservedRunner::may_rest() const {
  const ObservedState& state = agent_->state();
  if (queued_bytes_ > 0 || stored_ < put_ || !state.transcript.wanted_path.empty()) return false;
  const auto quiet = now().steady - active_at_;
  if (state.ended_at) return quiet > kLinger;
  return !state.pid && quiet > kForgotten;
}

void ObservedRunner::rest() {
  agent_.reset();
  if (tail_) tail_->release();
}

// A step that fails costs what it was to tell, not all that follows.
void ObservedRunner::attempt(const std::function<ObservedStep()>& step) {
  try {
    perform(step());
  } catch (const std::exception& failure) {
    log()->error("session {}: {}", first_.session_id, failure.what());
  }
}

void ObservedRunner::perform(ObservedStep step) {
  if (step.is_empty() && !step.is_changed) return;
  outbox_.put(std::move(step), agent_->state());
  ++put_;
  outbox_changed_.notify();
}

asio::awaitable<void> ObservedRunner::store_steps() {
  while (true) {
    while (outbox_.is_empty())
      co_await outbox_changed_.wait();
    const std::uint64_t goal = put_;
    const ObservedOutbox::Parcel parcel = outbox_.take(agent_->state());
    // Before anyone can see the events: who has seen them finds at least this state.
    on_change_(std::make_shared<const SessionState>(session_of(agent_->state())));
    while (!co_await store(parcel)) {
      asio::steady_timer timer(shard_, kStoreAgain);
      co_await timer.async_wait(asio::use_awaitable);
    }
    stored_ = goal;
    stored_changed_.notify();
  }
}

// False: to be tried again.
asio::awaitable<bool> ObservedRunner::store(const ObservedOutbox::Parcel& parcel) {
  std::vector<SessionEvent> events = parcel.events;
  std::vector<Document> documents = parcel.documents;
  const auto appended = co_await context_.journal.append(std::move(events), std::move(documents));
  if (appended) co_return true;
  log()->error("session {}: {} events wait: {}", first_.session_id, parcel.events.size(),
               appended.error().message);
  co_return is_closing_;
}

// What was performed until now has reached the journal.
asio::awaitable<void> ObservedRunner::stored() {
  const std::uint64_t goal = put_;
  while (stored_ < goal)
    co_await stored_changed_.wait();
}

}  // namespace oriel
