#include "api/mcp/task_follower.h"

#include "api/mcp/permission_form.h"
#include "base/event/event_json.h"
#include "base/log.h"
#include "base/text/json_access.h"
#include "mcp/sessions/session.h"
#include "runtime/deadline.h"

#include <boost/json/array.hpp>
#include <boost/json/value_from.hpp>
#include <boost/json/value_to.hpp>

#include <algorithm>

namespace oriel {
namespace {

namespace json = boost::json;
using Names = std::vector<std::string>;

constexpr std::size_t kMaxBatch = 256;
constexpr std::size_t kMaxBatchBytes = 256 << 10;
constexpr std::size_t kMaxCompletions = 1000;
constexpr std::string_view kEndIsGone =
    "the task has ended, and its events were purged: text is the end of the agent's last message";

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// None if the event is not the completion of that task.
std::optional<TaskOutcome> outcome_in(const SessionEvent& event, const std::string& task_id,
                                      std::uint64_t index) {
  const auto* const completion = event.get_if<event::Completion>();
  if (completion == nullptr || event.task_id != task_id) return std::nullopt;
  const std::string reason(name_of(completion->outcome));
  return TaskOutcome{.text = completion->text,
                     .status = completion->outcome,
                     .stop_reason = completion->detail.empty() ? reason : completion->detail,
                     .last_index = static_cast<std::int64_t>(index),
                     .usage = completion->usage};
}

std::chrono::milliseconds since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                               begin);
}

// The client's answer to one of its forms; empty if it has none.
json::object form_in(const json::object& answers, const std::string& permission_id) {
  return object_of(member(answers, permission_id));
}

}  // namespace

json::object to_kept(const FollowedTask& task) {
  return {{"session_id", task.session_id},
          {"task_id", task.task_id},
          {"after", task.after},
          {"last_index", task.last_index},
          {"asked", json::value_from(task.asked)},
          {"asked_at", unix_milliseconds(task.asked_at)},
          {"works_since",
           task.works_since ? json::value(unix_milliseconds(*task.works_since)) : json::value()}};
}

std::optional<FollowedTask> from_kept(const json::object& kept) {
  if (kept.empty()) return std::nullopt;
  const auto time_at = [&](std::string_view key) {
    const auto milliseconds = number_of(member(kept, key));
    return milliseconds ? wall_time(*milliseconds) : std::nullopt;
  };
  return FollowedTask{.session_id = text_at(kept, "session_id"),
                      .task_id = text_at(kept, "task_id"),
                      .after = kept.at("after").to_number<Sequence>(),
                      .last_index = number_of(member(kept, "last_index")).value_or(-1),
                      .asked = json::value_to<Names>(kept.at("asked")),
                      .asked_at = time_at("asked_at").value_or(WallTime()),
                      .works_since = time_at("works_since")};
}

bool is_open(const SessionState& state, const std::string& task_id) {
  if (state.is_in_task && state.task_id == task_id) return true;
  return std::any_of(state.queue.begin(), state.queue.end(),
                     [&](const QueuedMessage& queued) { return queued.task_id == task_id; });
}

std::optional<TaskOutcome> read_completion(const Record& record, const std::string& task_id) {
  if (record.event_type != EventType::kCompletion) return std::nullopt;
  return outcome_in(parse_event(record), task_id, record.index);
}

asio::awaitable<bool> holds_completion(Journal& journal, std::string session_id,
                                       std::string task_id, std::int64_t after_index) {
  SessionQuery ends{.session_id = std::move(session_id),
                    .after_index = after_index,
                    .types = {"completion"},
                    .max_records = kMaxCompletions};
  const SessionPage completions = co_await journal.read_session(std::move(ends));
  co_return std::any_of(
      completions.records.begin(), completions.records.end(),
      [&](const RecordPtr& record) { return read_completion(*record, task_id).has_value(); });
}

TaskFollower::TaskFollower(ToolContext& context, mcp::Call& call, FollowedTask task,
                           std::unique_ptr<TaskClaim> claim)
    : context_(context),
      call_(call),
      hub_(context.hub.on(call.shard())),
      task_(std::move(task)),
      claim_(std::move(claim)),
      ready_(call.shard().executor()),
      progress_(task_.task_id, wall_now(), task_.works_since),
      reporting_(call.shard().executor()) {}

asio::awaitable<TaskResult> TaskFollower::follow() {
  if (call_.wants_progress()) reporting_.spawn("progress of a task", report_progress());
  auto work = follow_events();
  auto outcome = co_await outcome_of(std::move(work));
  // Withdraw open forms, also when the call was cancelled.
  co_await asio::this_coro::reset_cancellation_state();
  if (subscription_) hub_.unsubscribe(*subscription_);
  reporting_.cancel();
  for (auto& [id, form] : forms_)
    form->cancel();
  co_await reporting_.joined();
  for (auto& [id, form] : forms_)
    co_await form->joined();
  if (outcome.failure) std::rethrow_exception(outcome.failure);
  co_return *std::move(outcome.result);
}

asio::awaitable<TaskResult> TaskFollower::follow_events() {
  const auto refusal = co_await begin();
  if (refusal) co_return *refusal;
  while (true) {
    const std::vector<FramePtr> frames = take();
    const auto problem = co_await handle_all(frames);
    if (problem) co_return *problem;
    if (!frames.empty()) continue;
    if (!outcome_ && std::exchange(has_missed_, false)) {
      auto missed = co_await end_that_was_missed();
      outcome_ = std::move(missed);
      continue;  // frames may have arrived meanwhile
    }
    if (outcome_) {
      outcome_->last_index = std::max(outcome_->last_index, task_.last_index);
      co_return *outcome_;
    }
    if (!unanswered_.empty()) {
      const auto handed_back = co_await hand_back();
      if (handed_back) co_return *handed_back;
      continue;  // frames may have arrived meanwhile
    }
    if (subscription_->state() == SubscriptionState::kFailed)
      throw std::runtime_error("the journal cannot be read");
    co_await ready_.wait();
  }
}

asio::awaitable<std::optional<mcp::RpcError>> TaskFollower::begin() {
  sent_ = task_.after;
  if (call_.wants_progress()) co_await note_session();
  if (claim_) {
    co_await claim_->granted();
    sent_ = claim_->reached();
  }
  if (!task_.asked.empty()) {
    const auto problem = co_await ask_by_retry();
    if (problem) co_return *problem;
  }
  subscribe(std::min(task_.after, sent_));
  co_return co_await ask_pending();
}

// Permissions may be pending since before the first event.
asio::awaitable<std::optional<mcp::RpcError>> TaskFollower::ask_pending() {
  const auto session = co_await context_.sessions.find(call_.principal(), task_.session_id);
  // A task that has ended waits for nothing: its completion is among the events.
  if (!session || !is_open(**session, task_.task_id)) co_return std::nullopt;
  for (const PendingPermission& permission : (*session)->pending) {
    const auto problem = co_await on_asked(permission.permission_id);
    if (problem) co_return *problem;
  }
  co_return std::nullopt;
}

asio::awaitable<std::optional<mcp::RpcError>> TaskFollower::handle_all(
    const std::vector<FramePtr>& frames) {
  for (const FramePtr& frame : frames) {
    if (!frame->record) {
      has_missed_ = true;
      if (call_.wants_log(mcp::LogLevel::kWarning))
        call_.send(call_.hold(gap_message(frame->gap, task_.session_id)));
      continue;
    }
    const auto problem = co_await handle(frame->record);
    if (problem) co_return *problem;
  }
  co_return std::nullopt;
}

asio::awaitable<std::optional<mcp::RpcError>> TaskFollower::handle(RecordPtr record) {
  const bool is_new = record->sequence > sent_;
  // Most events are deltas, and nothing is read from them.
  SessionEvent event;
  std::string words;
  if (record->event_type != EventType::kDelta) {
    event = parse_event(*record);
    if (call_.wants_progress()) words = progress_.take(event);
  }
  task_.last_index = std::max(task_.last_index, static_cast<std::int64_t>(record->index));
  if (is_new) {
    show(record, words);
    sent_ = record->sequence;
    if (claim_) claim_->reach(sent_);
  }
  if (outcome_) co_return std::nullopt;
  outcome_ = outcome_in(event, task_.task_id, record->index);
  if (!outcome_ && event.get_if<event::SessionEnded>() != nullptr)
    outcome_ = TaskOutcome{.text = {},
                           .status = TaskEnd::kCancelled,
                           .stop_reason = "the session was ended",
                           .last_index = task_.last_index,
                           .usage = {}};
  if (is_new && record->event_type == EventType::kPermission)
    co_return co_await on_permission(event);
  co_return std::nullopt;
}

void TaskFollower::show(const RecordPtr& record, const std::string& words) {
  const mcp::LogLevel level = level_of(*record);
  if (call_.wants_log(level)) call_.send(message_for(record), record->sequence);
  if (level != mcp::LogLevel::kDebug) report(words, record->sequence);
}

void TaskFollower::report(const std::string& words, Sequence sequence) {
  if (!call_.wants_progress()) return;
  call_.progress(progress_.next_value(wall_now()), std::nullopt, words, sequence);
  reported_at_ = std::chrono::steady_clock::now();
}

// What goes on before the first event, also while the call waits for another one.
asio::awaitable<void> TaskFollower::note_session() {
  const auto session = co_await context_.sessions.find(call_.principal(), task_.session_id);
  if (session && is_open(**session, task_.task_id)) progress_.begin_with(**session);
}

asio::awaitable<void> TaskFollower::report_progress() {
  asio::steady_timer timer(call_.shard().executor());
  while (true) {
    timer.expires_at(reported_at_ + context_.follow.progress_interval);
    co_await timer.async_wait(asio::use_awaitable);
    if (since(reported_at_) >= context_.follow.progress_interval) report(progress_.at(wall_now()));
  }
}

mcp::SharedMessage TaskFollower::message_for(const RecordPtr& record) {
  if (call_.is_stateless()) return call_.hold(event_message(record));
  mcp::Session& session = *call_.session();
  return context_.messages[call_.shard().index()].get(
      record, [&](mcp::Message message) { return session.hold(std::move(message)); });
}

void TaskFollower::subscribe(Sequence after) {
  SubscribeOptions options;
  options.filter.sessions = {task_.session_id};
  options.after = after;
  subscription_ = hub_.subscribe(std::move(options), [this] { ready_.notify(); });
}

// Empty if there is nothing new.
std::vector<FramePtr> TaskFollower::take() {
  std::vector<FramePtr> frames;
  subscription_->take(frames, kMaxBatch, kMaxBatchBytes);
  return frames;
}

bool TaskFollower::may_ask() const {
  return call_.client_can("elicitation") && call_.principal().may(Scope::kAnswer);
}

asio::awaitable<std::optional<mcp::RpcError>> TaskFollower::on_permission(
    const SessionEvent& event) {
  if (const auto* const resolved = event.get_if<event::PermissionResolved>()) {
    const auto form = forms_.find(resolved->permission.permission_id);
    if (form != forms_.end()) form->second->cancel();
  }
  const auto* const requested = event.get_if<event::PermissionRequested>();
  if (requested == nullptr || outcome_) co_return std::nullopt;
  co_return co_await on_asked(requested->permission.permission_id);
}

// A client that leaves one permission unanswered is not asked about another.
asio::awaitable<std::optional<mcp::RpcError>> TaskFollower::on_asked(std::string permission_id) {
  if (forms_.contains(permission_id)) co_return std::nullopt;
  if (!may_ask() || !unanswered_.empty()) {
    leave_unanswered(permission_id);
    co_return std::nullopt;
  }
  if (!call_.waits_for_answers()) {
    const std::vector<PendingPermission> pending = co_await pending_now();
    for (const PendingPermission& permission : pending)
      task_.asked.push_back(permission.permission_id);
    co_return co_await ask_by_retry();
  }
  auto& form = forms_[permission_id];
  form = std::make_unique<TaskGroup>(call_.shard().executor());
  form->spawn("permission form", ask_in_parallel(permission_id));
  co_return std::nullopt;
}

// Fails the first time, which ends the call; the repeated call has the answers.
asio::awaitable<std::optional<mcp::RpcError>> TaskFollower::ask_by_retry() {
  std::vector<PendingPermission> open;
  std::vector<mcp::InputRequest> inputs;
  const std::vector<PendingPermission> pending = co_await pending_now();
  for (const PendingPermission& permission : pending) {
    if (!contains(task_.asked, permission.permission_id)) continue;
    open.push_back(permission);
    inputs.push_back({.key = permission.permission_id,
                      .method = "elicitation/create",
                      .params = permission_form(permission, call_.version())});
  }
  // All were answered meanwhile by others.
  if (inputs.empty()) {
    task_.asked.clear();
    co_return std::nullopt;
  }
  const WallTime asked_at = std::exchange(task_.asked_at, wall_now());
  task_.after = sent_;
  task_.works_since = progress_.works_since();
  auto asking = call_.ask(std::move(inputs), to_kept(task_));
  const auto answers = co_await std::move(asking);
  if (!answers) co_return answers.error();
  for (const PendingPermission& permission : open) {
    json::object form = form_in(*answers, permission.permission_id);
    co_await answer(permission, std::move(form), wall_now() - asked_at);
  }
  task_.asked.clear();
  co_return std::nullopt;
}

asio::awaitable<void> TaskFollower::ask_in_parallel(std::string permission_id) {
  std::optional<PendingPermission> asked;
  const std::vector<PendingPermission> pending = co_await pending_now();
  for (const PendingPermission& permission : pending) {
    if (permission.permission_id == permission_id) asked = permission;
  }
  if (!asked) co_return;
  std::vector<mcp::InputRequest> inputs;
  inputs.push_back({.key = permission_id,
                    .method = "elicitation/create",
                    .params = permission_form(*asked, call_.version())});
  const auto asked_at = std::chrono::steady_clock::now();
  auto asking = call_.ask(std::move(inputs));
  const auto answers = co_await std::move(asking);
  if (!answers) {
    log()->debug("permission {}: {}", permission_id, answers.error().message);
    leave_unanswered(permission_id);
    co_return;
  }
  json::object form = form_in(*answers, permission_id);
  co_await answer(*asked, std::move(form), since(asked_at));
}

asio::awaitable<void> TaskFollower::answer(PendingPermission permission, json::object form,
                                           std::chrono::milliseconds reading_time) {
  const std::string& id = permission.permission_id;
  FormReply reply = read_permission_form(permission, form);
  const bool is_automatic =
      reply.result == FormResult::kDeclined && reading_time < context_.follow.min_reading_time;
  if (reply.result == FormResult::kUnanswered || is_automatic) {
    leave_unanswered(id);
    co_return;
  }
  const auto status = co_await context_.sessions.answer(call_.principal(), task_.session_id, id,
                                                        std::move(reply.decision));
  if (status) co_return;
  log()->debug("permission {}: {}", id, status.error().message);
  leave_unanswered(id);
}

void TaskFollower::leave_unanswered(const std::string& permission_id) {
  if (!contains(unanswered_, permission_id)) unanswered_.push_back(permission_id);
  ready_.notify();
}

// The first of them that is still pending; none: others have answered them all.
asio::awaitable<std::optional<TaskOutcome>> TaskFollower::hand_back() {
  const std::vector<PendingPermission> pending = co_await pending_now();
  for (const PendingPermission& permission : pending) {
    if (!contains(unanswered_, permission.permission_id)) continue;
    TaskOutcome outcome;
    outcome.last_index = task_.last_index;
    outcome.unanswered = permission;
    co_return outcome;
  }
  unanswered_.clear();
  co_return std::nullopt;
}

asio::awaitable<std::vector<PendingPermission>> TaskFollower::pending_now() {
  const auto session = co_await context_.sessions.find(call_.principal(), task_.session_id);
  if (!session) co_return std::vector<PendingPermission>{};
  co_return (*session)->pending;
}

// None if the task goes on, or if its completion is still to be read. Otherwise retention has
// removed that, and nothing says how the task ended.
asio::awaitable<std::optional<TaskOutcome>> TaskFollower::end_that_was_missed() {
  const auto session = co_await context_.sessions.find(call_.principal(), task_.session_id);
  if (session && is_open(**session, task_.task_id)) co_return std::nullopt;
  const bool is_held = co_await holds_completion(context_.journal, task_.session_id, task_.task_id,
                                                 task_.last_index);
  if (is_held) co_return std::nullopt;
  TaskOutcome outcome{.text = session ? (*session)->last_text : "",
                      .status = TaskEnd::kError,
                      .stop_reason = std::string(kEndIsGone),
                      .last_index = session ? (*session)->last_index : task_.last_index,
                      .usage = {}};
  co_return outcome;
}

}  // namespace oriel
