#include "api/mcp/message_tool.h"

#include "api/mcp/event_tools.h"
#include "api/mcp/tool.h"
#include "api/session_requests.h"

#include <spdlog/fmt/fmt.h>

namespace oriel {
namespace {

namespace json = boost::json;

mcp::Tool message_tool() {
  return {
      .name = "session_message",
      .title = "Send a message to a coding agent",
      .description =
          "Sends a message to a coding agent, which starts a task. Without session_id it starts a "
          "new session first (agent, project_id, workspace, node, title and permissions configure "
          "it; "
          "all optional). Returns at once with session_id and task_id while the agent works: read "
          "its events with session_events (since_index = last_index, wait_ms). With wait: true the "
          "call returns when the task has ended, with the final text. A message sent while a task "
          "is running is queued. If the agent asks for a permission, answer it with "
          "permission_answer: a call that waits returns it with status awaiting_input if your "
          "client shows no forms. Cancelling this call does not cancel the task; session_cancel "
          "does. A client that has called logging/setLevel also receives the events as "
          "notifications/message.",
      .input_schema = input_schema(
          {
              {"message",
               text_schema("The instructions for the agent, with all context it needs.")},
              {"session_id", text_schema("The session to continue; leave it out for a new one.")},
              {"agent", text_schema("New session: a name from agent_list. Default: the default "
                                    "agent.")},
              {"project_id", text_schema("New session: the project that it belongs to.")},
              {"workspace", text_schema("New session: the absolute path of the working directory. "
                                        "Default: the project's, else a new directory.")},
              {"node", text_schema("New session: the node of the cluster that runs it. Default: "
                                   "Oriel chooses.")},
              {"node_labels", list_schema("New session: labels that its node must have.",
                                          text_schema("A label, such as gpu."))},
              {"title", text_schema("New session: a short title for people.")},
              {"permissions", choice_schema("New session: how permissions are decided: ask (you or "
                                            "a person), allow all, or deny all.",
                                            {"ask", "allow", "deny"})},
              {"wait", flag_schema("Return only when the task has ended. Default: false.")},
              {"request_id", text_schema("A name of your choice that makes the call safe to "
                                         "repeat: a repeated call returns the first call's task.")},
          },
          {"message"}),
      .output_schema = output_schema(object_schema(
          {{"session_id", text_schema("Pass it to all further calls.")},
           {"task_id", text_schema("The task that the message started.")},
           {"last_index", number_schema("The task's events come after this index; with wait: the "
                                        "index of its last event.")},
           {"queued", number_schema("Without wait: queued messages, including this one.")},
           {"text", text_schema("With wait: the agent's final answer.")},
           {"status",
            choice_schema("With wait: how the task ended; awaiting_input: it has not ended, but "
                          "waits for the permission in this result.",
                          {"completed", "cancelled", "error", "awaiting_input"})},
           {"stop_reason", text_schema("With wait: the reason that the agent reported.")},
           {"usage", any_schema("With wait: token usage, if the agent reports it.")},
           {"permission", permission_schema()},
           {"next", text_schema("With a permission: what to call next.")}},
          {"session_id", "task_id", "last_index"})),
      .annotations = annotations("Send a message to a coding agent", Effect::kDestroys, false),
      .handler = {}};
}

// What a model does about a permission that its client left unanswered.
std::string next_step(const FollowedTask& task, const TaskOutcome& outcome, bool may_answer) {
  const PendingPermission& permission = *outcome.unanswered;
  const std::string events =
      fmt::format("session_events {{\"session_id\":\"{}\",\"since_index\":{},\"wait_ms\":50000}}",
                  task.session_id, outcome.last_index);
  if (!may_answer)
    return "a person must answer it, on Oriel's page or with `oriel answer`; then " + events;
  std::string_view decision = R"("decision":"allow" or "deny")";
  if (is_allowed_lastingly_only(permission.asked)) decision = R"("option_id":one of its options)";
  if (!permission.asked.questions.empty()) decision = R"("answers":[one text for each question])";
  return fmt::format(
      "permission_answer {{\"session_id\":\"{}\",\"permission_id\":\"{}\",{}}}, then {}",
      task.session_id, permission.permission_id, decision, events);
}

}  // namespace

void MessageTool::add_to(mcp::Catalog& catalog) {
  mcp::Tool tool = message_tool();
  tool.handler = [this](mcp::Call& call) { return message(call); };
  tool.tasks = mcp::TaskSupport::kOptional;
  tool.wants_task = [](const json::object& arguments) {
    const auto* const wait = arguments.if_contains("wait");
    return wait != nullptr && wait->is_bool() && wait->as_bool();
  };
  tool.can_run_again = tool.wants_task;
  catalog.tools.push_back(std::move(tool));
}

asio::awaitable<mcp::RpcResult> MessageTool::message(mcp::Call& call) {
  ObjectReader arguments =
      read_arguments(call, {"message", "session_id", "agent", "project_id", "workspace", "title",
                            "node", "node_labels", "permissions", "wait", "request_id"});
  std::string session_id = arguments.name("session_id");
  const AuditAction action = session_id.empty() ? AuditAction::kStart : AuditAction::kMessage;
  const auto may =
      co_await context_.sessions.check_scope(call.principal(), Scope::kStart, action, session_id);
  if (!may) co_return error_result(may.error());
  // The client repeats the call with its answers.
  if (auto task = from_kept(call.kept())) {
    auto following = follow(call, *std::move(task), std::unique_ptr<TaskClaim>());
    co_return co_await std::move(following);
  }

  NewSession wanted = read_new_session(arguments);
  const bool is_followed = arguments.flag("wait").value_or(false);
  if (wanted.message.empty()) arguments.refuse("message", "is missing or empty");
  for (const std::string_view key :
       {"agent", "project_id", "workspace", "node", "node_labels", "title", "permissions"}) {
    if (!session_id.empty() && arguments.has(key))
      arguments.refuse(key, "applies to new sessions only; leave it out, or leave out session_id");
  }
  if (arguments.error()) co_return error_result(*arguments.error());

  // A call that a restart has cut is run again, and must not send its message twice.
  if (is_followed && wanted.request_id.empty() && !call.stable_id().empty())
    wanted.request_id = "mcp-" + call.stable_id();
  auto sending = session_id.empty()
                     ? start(call, std::move(wanted), is_followed)
                     : send(call, std::move(session_id), std::move(wanted), is_followed);
  Result<Sent> sent = co_await std::move(sending);
  if (!sent) co_return error_result(sent.error());
  if (!is_followed) {
    auto answering = answer_at_once(call, *std::move(sent));
    co_return co_await std::move(answering);
  }
  if (sent->is_repeat) {
    const auto before = co_await before_task(call, sent->task.session_id, sent->task.task_id,
                                             sent->task.last_index);
    if (!before) co_return error_result(before.error());
    sent->task.after = *before;
  }
  auto following = follow(call, std::move(sent->task), std::move(sent->claim));
  co_return co_await std::move(following);
}

// Watches before it starts the session, so that no event of it is missed.
asio::awaitable<Result<MessageTool::Sent>> MessageTool::start(mcp::Call& call, NewSession wanted,
                                                              bool is_followed) {
  wanted.session_id = new_session_id();
  Sent sent;
  bool is_new = watch(call, wanted.session_id, is_followed, sent);
  const auto made = co_await context_.sessions.create(call.principal(), std::move(wanted));
  const bool is_other = made && made->session->session_id != sent.task.session_id;
  if (!made || is_other) unwatch(call, is_new, sent);
  if (!made) co_return made.error();
  if (is_other) is_new = watch(call, made->session->session_id, is_followed, sent);
  sent.task.task_id = made->task_id;
  sent.task.last_index = made->last_index;
  sent.is_repeat = made->is_repeat;
  co_return sent;
}

asio::awaitable<Result<MessageTool::Sent>> MessageTool::send(mcp::Call& call,
                                                             std::string session_id,
                                                             NewSession wanted, bool is_followed) {
  const auto session = co_await context_.sessions.find(call.principal(), session_id);
  if (!session) co_return session.error();
  Sent sent;
  const bool is_new = watch(call, session_id, is_followed, sent);
  const auto taken = co_await context_.sessions.message(
      call.principal(), session_id, std::move(wanted.message), std::move(wanted.request_id));
  if (!taken) {
    unwatch(call, is_new, sent);
    co_return taken.error();
  }
  sent.task.task_id = taken->task_id;
  sent.task.last_index = taken->last_index;
  sent.is_repeat = taken->is_repeat;
  co_return sent;
}

// Returns whether the client did not watch the session before.
bool MessageTool::watch(const mcp::Call& call, const std::string& session_id, bool is_followed,
                        Sent& sent) const {
  sent.task.session_id = session_id;
  sent.task.after = context_.journal.head();
  const auto watcher = watcher_of(call);
  if (!watcher) return false;
  if (is_followed) sent.claim = std::make_unique<TaskClaim>(watcher, session_id);
  return watcher->watch(session_id, sent.task.after);
}

void MessageTool::unwatch(const mcp::Call& call, bool is_new, Sent& sent) {
  sent.claim.reset();
  if (is_new) watcher_of(call)->unwatch(sent.task.session_id);
}

asio::awaitable<mcp::RpcResult> MessageTool::answer_at_once(mcp::Call& call, Sent sent) {
  const auto session = co_await context_.sessions.find(call.principal(), sent.task.session_id);
  json::object content{{"session_id", sent.task.session_id},
                       {"task_id", sent.task.task_id},
                       {"last_index", sent.task.last_index},
                       {"queued", session ? (*session)->queue.size() : 0}};
  co_return mcp::structured_result(std::move(content));
}

asio::awaitable<mcp::RpcResult> MessageTool::follow(mcp::Call& call, FollowedTask task,
                                                    std::unique_ptr<TaskClaim> claim) {
  json::object content{{"session_id", task.session_id}, {"task_id", task.task_id}};
  call.keep(to_kept(task));
  TaskFollower follower(context_, call, task, std::move(claim));
  const TaskResult outcome = co_await follower.follow();
  if (!outcome) co_return outcome.error();
  content["last_index"] = outcome->last_index;
  if (outcome->unanswered) {
    content["status"] = name_of(WorkState::kAwaitingInput);
    content["permission"] = to_json(*outcome->unanswered);
    content["next"] = next_step(task, *outcome, call.principal().may(Scope::kAnswer));
    co_return mcp::structured_result(std::move(content));
  }
  content["text"] = outcome->text;
  content["status"] = name_of(outcome->status);
  content["stop_reason"] = outcome->stop_reason;
  content["usage"] = nullptr;
  if (!outcome->usage.is_empty()) content["usage"] = to_json(outcome->usage);
  json::object result = mcp::structured_result(std::move(content));
  if (outcome->status == TaskEnd::kError) result["isError"] = true;
  co_return result;
}

// The sequence before the task of a repeated message. Fails if its completion is no longer held.
asio::awaitable<Result<Sequence>> MessageTool::before_task(mcp::Call& call, std::string session_id,
                                                           std::string task_id,
                                                           std::int64_t last_index) {
  SessionQuery first{.session_id = session_id, .after_index = last_index, .max_records = 1};
  const SessionPage begin = co_await context_.journal.read_session(std::move(first));
  const Sequence head = context_.journal.head();
  const Sequence before = begin.records.empty() ? head : begin.records.front()->sequence - 1;
  const auto session = co_await context_.sessions.find(call.principal(), session_id);
  if (!session) co_return session.error();
  if (is_open(**session, task_id)) co_return before;
  const bool is_held = co_await holds_completion(context_.journal, session_id, task_id, last_index);
  if (is_held) co_return before;
  co_return Error{.kind = ErrorKind::kEventsPurged,
                  .message = "task " + task_id + " has ended, and its events were purged",
                  .hint = "call session_get: last_text is the end of the agent's last message"};
}

}  // namespace oriel
