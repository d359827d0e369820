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

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The message of a progress notification.
std::string progress_text(EventType event_type, const SessionEvent& event) {
  if (const auto* const status = event.get_if<event::StatusChanged>())
    return std::string(name_of(status->status));
  const std::string type(name_of(event_type));
  if (const auto* const call = event.get_if<event::ToolCall>()) return type + ": " + call->name;
  if (const auto* const result = event.get_if<event::ToolResult>())
    return type + ": " + result->name;
  return type;
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

}  // namespace

json::object to_kept(const FollowedTask& task) {
  return {{"session_id", task.session_id},
          {"task_id", task.task_id},
          {"after", task.after},
          {"asked", json::value_from(task.asked)},
          {"put_aside", json::value_from(task.put_aside)}};
}

std::optional<FollowedTask> from_kept(const json::object& kept) {
  if (kept.empty()) return std::nullopt;
  return FollowedTask{.session_id = text_at(kept, "session_id"),
                      .task_id = text_at(kept, "task_id"),
                      .after = kept.at("after").to_number<Sequence>(),
                      .asked = json::value_to<Names>(kept.at("asked")),
                      .put_aside = json::value_to<Names>(kept.at("put_aside"))};
}

std::optional<TaskOutcome> read_completion(const Record& record, const std::string& task_id) {
  if (record.event_type != EventType::kCompletion) return std::nullopt;
  return outcome_in(parse_event(record), task_id, record.index);
}

TaskFollower::TaskFollower(ToolContext& context, mcp::Call& call, FollowedTask task,
                           std::unique_ptr<TaskClaim> claim)
    : context_(context),
      call_(call),
      hub_(context.hub.on(call.shard())),
      task_(std::move(task)),
      claim_(std::move(claim)),
      ready_(call.shard().executor()) {}

asio::awaitable<TaskResult> TaskFollower::follow() {
  auto work = follow_events();
  auto outcome = co_await outcome_of(std::move(work));
  // Withdraw open forms, also when the call was cancelled.
  co_await asio::this_coro::reset_cancellation_state();
  if (subscription_) hub_.unsubscribe(*subscription_);
  for (auto& [id, form] : forms_)
    form->cancel();
  for (auto& [id, form] : forms_)
    co_await form->joined();
  if (outcome.failure) std::rethrow_exception(outcome.failure);
  co_return *std::move(outcome.result);
}

asio::awaitable<TaskResult> TaskFollower::follow_events() {
  sent_ = task_.after;
  if (claim_) {
    co_await claim_->granted();
    sent_ = claim_->reached();
  }
  if (!task_.asked.empty()) {
    const auto problem = co_await ask_by_retry();
    if (problem) co_return *problem;
  }
  subscribe(std::min(task_.after, sent_));
  while (true) {
    const std::vector<FramePtr> frames = take();
    for (const FramePtr& frame : frames) {
      if (!frame->record) {
        if (call_.wants_log(mcp::LogLevel::kWarning))
          call_.send(call_.hold(gap_message(frame->gap, task_.session_id)));
        continue;
      }
      const auto problem = co_await handle(frame->record);
      if (problem) co_return *problem;
    }
    if (!frames.empty()) continue;
    if (outcome_) {
      outcome_->last_index = std::max(outcome_->last_index, last_index_);
      co_return *outcome_;
    }
    if (subscription_->state() == SubscriptionState::kFailed)
      throw std::runtime_error("the journal cannot be read");
    co_await ready_.wait();
  }
}

asio::awaitable<std::optional<mcp::RpcError>> TaskFollower::handle(RecordPtr record) {
  const bool is_new = record->sequence > sent_;
  // Most events are deltas, and nothing is read from them.
  SessionEvent event;
  if (record->event_type != EventType::kDelta) event = parse_event(*record);
  if (is_new) {
    show(record, event);
    sent_ = record->sequence;
    if (claim_) claim_->reach(sent_);
    last_index_ = static_cast<std::int64_t>(record->index);
  }
  if (outcome_) co_return std::nullopt;
  outcome_ = outcome_in(event, task_.task_id, record->index);
  if (!outcome_ && event.get_if<event::SessionEnded>() != nullptr)
    outcome_ = TaskOutcome{.text = {},
                           .status = TaskEnd::kCancelled,
                           .stop_reason = "the session was ended",
                           .last_index = last_index_,
                           .usage = {}};
  if (is_new && record->event_type == EventType::kPermission)
    co_return co_await on_permission(event);
  co_return std::nullopt;
}

void TaskFollower::show(const RecordPtr& record, const SessionEvent& event) {
  ++events_;
  const mcp::LogLevel level = level_of(*record);
  if (call_.wants_log(level)) call_.send(message_for(record));
  if (level != mcp::LogLevel::kDebug && call_.wants_progress())
    call_.progress(static_cast<double>(events_), std::nullopt,
                   progress_text(record->event_type, event));
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
  if (requested == nullptr) co_return std::nullopt;
  const std::string& id = requested->permission.permission_id;
  if (outcome_ || !may_ask()) co_return std::nullopt;
  if (!call_.waits_for_answers()) {
    const std::vector<PendingPermission> pending = co_await pending_now();
    for (const PendingPermission& permission : pending) {
      if (!contains(task_.put_aside, permission.permission_id))
        task_.asked.push_back(permission.permission_id);
    }
    co_return co_await ask_by_retry();
  }
  auto& form = forms_[id];
  form = std::make_unique<TaskGroup>(call_.shard().executor());
  form->spawn("permission form", ask_in_parallel(id));
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
  task_.after = sent_;
  auto asking = call_.ask(std::move(inputs), to_kept(task_));
  const auto answers = co_await std::move(asking);
  if (!answers) co_return answers.error();
  for (const PendingPermission& permission : open) {
    const json::value* const form = answers->if_contains(permission.permission_id);
    json::object filled;
    if (form != nullptr && form->is_object()) filled = form->get_object();
    co_await answer(permission, std::move(filled));
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
  auto asking = call_.ask(std::move(inputs));
  const auto answers = co_await std::move(asking);
  // The permission stays pending for others.
  if (!answers) {
    log()->debug("permission {}: {}", permission_id, answers.error().message);
    co_return;
  }
  const json::value* const form = answers->if_contains(permission_id);
  json::object filled;
  if (form != nullptr && form->is_object()) filled = form->get_object();
  co_await answer(*asked, std::move(filled));
}

asio::awaitable<void> TaskFollower::answer(PendingPermission permission, json::object form) {
  auto decision = read_permission_form(permission, form);
  if (!decision) {
    task_.put_aside.push_back(permission.permission_id);
    co_return;
  }
  const auto status = co_await context_.sessions.answer(
      call_.principal(), task_.session_id, permission.permission_id, *std::move(decision));
  if (!status) log()->debug("permission {}: {}", permission.permission_id, status.error().message);
}

asio::awaitable<std::vector<PendingPermission>> TaskFollower::pending_now() {
  const auto session = co_await context_.sessions.find(call_.principal(), task_.session_id);
  if (!session) co_return std::vector<PendingPermission>{};
  co_return (*session)->pending;
}

}  // namespace oriel
