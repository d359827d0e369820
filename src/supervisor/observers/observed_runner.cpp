#include "supervisor/observers/observed_runner.h"

#include "base/log.h"
#include "runtime/deadline.h"
#include "runtime/keep_running.h"
#include "supervisor/last_wait.h"
#include "supervisor/now.h"
#include "supervisor/observers/redact_observed.h"
#include "supervisor/turn_documents.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

// The last lines and hooks of an ended agent arrive within this time.
constexpr seconds kLinger{30};
// An agent without a known process is unloaded after this time without activity.
constexpr hours kForgotten{1};
// A transcript that cannot be read is tried again after this time, or after the next hook.
constexpr seconds kRetryTranscript{15};

}  // namespace

ObservedRunner::ObservedRunner(asio::any_io_executor shard, ObserverContext context,
                               ObservedState first, std::function<void(SessionSnapshot)> on_stored,
                               OwnerGuard guard)
    : shard_(shard),
      context_(context),
      first_(std::move(first)),
      queue_changed_(shard),
      hooks_done_(shard),
      reader_changed_(shard),
      active_at_(now().steady),
      writer_(shard, context.journal, std::move(on_stored), std::move(guard)),
      tasks_(shard) {
  keep("observed agent's hooks", [this] { return run_hooks(); });
  keep("observed agent's transcript", [this] { return follow_transcript(); });
  keep("observed agent's clock", [this] { return keep_time(); });
  keep("observed agent's events", [this] { return writer_.run(); });
}

ObservedRunner::~ObservedRunner() = default;

// A failure loses at most the hook or the entries that it handles.
void ObservedRunner::keep(std::string name, std::function<asio::awaitable<void>()> work) {
  tasks_.spawn(name, keep_running(name, std::move(work)));
}

// Counts a hook until it is applied, rejected or failed.
class ObservedRunner::HookAtWork {
 public:
  HookAtWork(ObservedRunner& runner, std::size_t bytes) : runner_(runner), bytes_(bytes) {}

  ~HookAtWork() {
    runner_.queued_bytes_ -= bytes_;
    runner_.hooks_done_.notify();
  }

  HookAtWork(const HookAtWork&) = delete;
  HookAtWork& operator=(const HookAtWork&) = delete;

 private:
  ObservedRunner& runner_;
  std::size_t bytes_;
};

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
  writer_.close();
  auto storing = store_rest();
  if (!writer_.is_in_cluster()) {
    co_await std::move(storing);
  } else {
    try {
      co_await with_deadline(kLastWait, std::move(storing));
    } catch (const TimedOut&) {
      log()->warn("session {}: its last events are not stored in time", first_.session_id);
    }
  }
  tasks_.cancel();
  co_await tasks_.joined();
  tail_.reset();  // its watch must be released on this shard
}

asio::awaitable<void> ObservedRunner::store_rest() {
  while (agent_ && queued_bytes_ > 0)
    co_await hooks_done_.wait();
  co_await writer_.stored();
}

asio::awaitable<void> ObservedRunner::run_hooks() {
  if (!agent_) co_await load();
  while (true) {
    while (queue_.empty())
      co_await queue_changed_.wait();
    if (!agent_) co_await load();
    // All waiting hooks become one append.
    while (!queue_.empty()) {
      IncomingHook incoming = std::move(queue_.front());
      queue_.pop_front();
      co_await run_hook(std::move(incoming));
    }
    wake_reader();
    co_await writer_.stored();
    hooks_done_.notify();
  }
}

asio::awaitable<void> ObservedRunner::run_hook(IncomingHook incoming) {
  const HookAtWork at_work(*this, incoming.bytes);
  HookEvent& hook = incoming.hook;
  redact(hook, *context_.options.redactor);
  const bool is_new_process = hook.pid && hook.pid != agent_->state().pid;
  if (is_new_process) {
    auto look = [pid = *hook.pid] { return AgentProcess::exists(pid); };
    if (!co_await context_.files.run(look)) hook.pid.reset();
  }
  co_await find_project_of(hook.cwd);
  active_at_ = now().steady;
  attempt([&] { return agent_->on_hook(hook, incoming.at); });
}

asio::awaitable<void> ObservedRunner::find_project_of(std::string cwd) {
  if (cwd.empty() || !agent_->state().project_id.empty()) co_return;
  auto find = [cwd = std::move(cwd), &projects = context_.options.projects] {
    return project_at(cwd, projects);
  };
  const Project project = co_await context_.files.run(std::move(find));
  if (agent_) agent_->join_project(project);
}

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

bool ObservedRunner::may_unload() const {
  const ObservedState& state = agent_->state();
  if (queued_bytes_ > 0 || !writer_.is_idle() || !state.transcript.wanted_path.empty())
    return false;
  const auto quiet = now().steady - active_at_;
  if (state.ended_at) return quiet > kLinger;
  return !state.pid && quiet > kForgotten;
}

void ObservedRunner::unload() {
  agent_.reset();
  if (tail_) tail_->release();
}

asio::awaitable<void> ObservedRunner::follow_transcript() {
  while (true) {
    if (!agent_) {
      tail_.reset();
      co_await reader_changed_.wait();
      continue;
    }
    if (!agent_->state().transcript.wanted_path.empty()) co_await move_to_wanted_transcript();
    if (!agent_) continue;
    if (!tail_ && !agent_->state().transcript.position.path.empty()) open_transcript();
    if (!tail_) {
      co_await reader_changed_.wait();
      continue;
    }
    co_await read_entries();
  }
}

// Reads the current transcript to its end first.
asio::awaitable<void> ObservedRunner::move_to_wanted_transcript() {
  while (tail_) {
    auto batch = co_await tail_->next_now();
    if (!batch || !*batch || !agent_) break;
    co_await take_entries(**std::move(batch));
  }
  tail_.reset();
  if (agent_) writer_.put(agent_->follow_wanted(now()), agent_->state());
}

asio::awaitable<void> ObservedRunner::read_entries() {
  auto batch = co_await tail_->next();
  if (batch) {
    if (*batch) co_await take_entries(**std::move(batch));
    co_return;
  }
  log_once(batch.error());
  tail_.reset();
  try {
    auto changed = reader_changed_.wait();
    co_await with_deadline(kRetryTranscript, std::move(changed));
  } catch (const TimedOut&) {
  }
}

asio::awaitable<void> ObservedRunner::take_entries(EntryBatch batch) {
  if (!agent_) co_return;
  redact(batch.entries, *context_.options.redactor);
  const auto with_cwd = std::find_if(batch.entries.begin(), batch.entries.end(),
                                     [](const auto& entry) { return !entry.cwd.empty(); });
  if (with_cwd != batch.entries.end()) co_await find_project_of(with_cwd->cwd);
  if (!agent_) co_return;
  active_at_ = now().steady;
  attempt([&] { return agent_->on_entries(batch, now()); });
  co_await writer_.stored();
}

void ObservedRunner::open_transcript() {
  const ObservedState& state = agent_->state();
  const auto fallback = parse_transcript_format(state.agent).value_or(TranscriptFormat::kClaude);
  tail_ = std::make_unique<EntryTail>(context_.watch, context_.files, context_.roots, shard_,
                                      state.transcript.position, fallback);
}

void ObservedRunner::wake_reader() {
  if (tail_ && agent_->state().transcript.wanted_path.empty())
    tail_->wake();
  else if (tail_)
    tail_->release();
  reader_changed_.notify();
}

void ObservedRunner::log_once(const Error& error) {
  if (logged_error_ == error.message) return;
  logged_error_ = error.message;
  log()->warn("session {}: {}", first_.session_id, describe(error));
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
    if (may_unload()) unload();
  }
}

// A step that fails loses its own events only.
void ObservedRunner::attempt(const std::function<ObservedStep()>& step) {
  try {
    writer_.put(step(), agent_->state());
  } catch (const std::exception& failure) {
    log()->error("session {}: {}", first_.session_id, failure.what());
  }
}

}  // namespace oriel
