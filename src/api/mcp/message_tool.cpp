#include "api/mcp/message_tool.h"

#include "api/mcp/event_tools.h"
#include "api/mcp/tool.h"
#include "api/session_requests.h"

#include <algorithm>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxCompletions = 1000;

mcp::Tool message_tool() {
  return {
      .name = "session_message",
      .title = "Give a coding agent work",
      .description =
          "Sends a message to a coding agent. Without session_id it starts a new session first "
          "(agent, project_id, workspace, title and permissions say how; all optional). Answers at "
          "once with session_id and task_id while the agent works; its events follow as "
          "notifications/message (call logging/setLevel first), and session_events with "
          "since_index = last_index reads them. With wait: true the call lasts until the task has "
          "ended, its events come on the way, and the result has the final text. A message sent "
          "while a task is at work waits for its end. If the agent asks for a permission, "
          "answer it with permission_answer. Cancelling this call does not cancel the task: "
          "session_cancel does.",
      .input_schema = input_schema(
          {
              {"message", text_schema("What the agent is to do, with all it has to know.")},
              {"session_id", text_schema("The session to go on with; leave it out for a new one.")},
              {"agent", text_schema("New session: a name of agent_list; else the default.")},
              {"project_id", text_schema("New session: the project that it belongs to.")},
              {"workspace", text_schema("New session: an absolute directory to work in; else the "
                                        "project's, else a fresh one.")},
              {"title", text_schema("New session: a few words for people.")},
              {"permissions", choice_schema("New session: who answers the agent's questions: ask "
                                            "(you or a person), or allow or deny all of them.",
                                            {"ask", "allow", "deny"})},
              {"wait", flag_schema("Return only when the task has ended. Without it: at once, but "
                                   "for a client of 2026-07-28 that gave a logLevel or a "
                                   "progressToken.")},
              {"request_id", text_schema("A name of your choice that makes the call safe to "
                                         "repeat: the second one gets the first one's task.")},
          },
          {"message"}),
      .output_schema = output_schema(object_schema(
          {{"session_id", text_schema("For all further calls.")},
           {"task_id", text_schema("Of the task that the message began.")},
           {"last_index", number_schema("At once: the task's events come after it. After a wait: "
                                        "the last event that was seen.")},
           {"queued", number_schema("At once: messages that wait for the agent, this one "
                                    "included.")},
           {"text", text_schema("After a wait: the agent's final answer.")},
           {"status", choice_schema("After a wait: how the task ended.",
                                    {"completed", "cancelled", "error"})},
           {"stop_reason", text_schema("After a wait: why it ended, in the agent's own words.")},
           {"usage", any_schema("After a wait: what it has cost, if the agent tells.")}},
          {"session_id", "task_id", "last_index"})),
      .annotations = annotations("Give a coding agent work", Effect::kDestroys, false),
      .handler = {}};
}

bool follows_by_default(const mcp::Call& call) {
  return call.is_stateless() &&
         (call.wants_log(mcp::LogLevel::kEmergency) || call.wants_progress());
}

bool is_open(const SessionState& state, const std::string& task_id) {
  if (state.is_in_task && state.task_id == task_id) return true;
  return std::any_of(state.queue.begin(), state.queue.end(),
                     [&](const QueuedMessage& queued) { return queued.task_id == task_id; });
}

// What was not watched yet is told from `from` on.
std::unique_ptr<TaskClaim> claim_task(const std::shared_ptr<McpWatcher>& watcher,
                                      const std::string& session_id, Sequence from) {
  auto claim = std::make_unique<TaskClaim>(watcher, session_id);
  if (claim->reached() == kNoSequence) claim->reach(from);
  return claim;
}

}  // namespace

void McpMessageTool::add_to(mcp::Catalog& catalog) {
  mcp::Tool tool = message_tool();
  tool.handler = [this](mcp::Call& call) { return message(call); };
  tool.tasks = mcp::TaskSupport::kOptional;
  tool.wants_task = [](const json::object& arguments) {
    const auto* const wait = arguments.if_contains("wait");
    return wait != nullptr && wait->is_bool() && wait->as_bool();
  };
  catalog.tools.push_back(std::move(tool));
}

asio::awaitable<mcp::RpcResult> McpMessageTool::message(mcp::Call& call) {
  if (auto may = check_may_write(call); !may) co_return refuse(may.error());
  // It has asked the client, which has come again with the answer.
  if (auto place = from_kept(call.kept())) {
    auto following = follow(call, *std::move(place), std::unique_ptr<TaskClaim>());
    co_return co_await std::move(following);
  }

  ObjectReader arguments =
      read_arguments(call, {"message", "session_id", "agent", "project_id", "workspace", "title",
                            "permissions", "wait", "request_id"});
  std::string session_id = arguments.name("session_id");
  NewSession wanted = read_new_session(arguments);
  const bool is_followed = arguments.flag("wait").value_or(follows_by_default(call));
  if (wanted.message.empty()) arguments.refuse("message", "is missing or empty");
  for (const std::string_view key : {"agent", "project_id", "workspace", "title", "permissions"}) {
    if (!session_id.empty() && arguments.has(key))
      arguments.refuse(key, "is for a new session only; leave it out, or leave out session_id");
  }
  if (arguments.error()) co_return refuse(*arguments.error());

  auto sending = session_id.empty()
                     ? start(call, std::move(wanted), is_followed)
                     : send(call, std::move(session_id), std::move(wanted), is_followed);
  Result<Sent> sent = co_await std::move(sending);
  if (!sent) co_return refuse(sent.error());
  if (!is_followed) {
    auto answering = answer_at_once(*std::move(sent));
    co_return co_await std::move(answering);
  }
  if (sent->is_repeat) {
    const auto before =
        co_await before_task(sent->place.session_id, sent->place.task_id, sent->last_index);
    if (!before) co_return refuse(before.error());
    sent->place.after = *before;
  }
  auto following = follow(call, std::move(sent->place), std::move(sent->claim));
  co_return co_await std::move(following);
}

asio::awaitable<Result<McpMessageTool::Sent>> McpMessageTool::start(mcp::Call& call,
                                                                    NewSession wanted,
                                                                    bool is_followed) {
  const Sequence from = rooms_.journal.head();
  const auto made = co_await rooms_.supervisor.create(std::move(wanted));
  if (!made) co_return made.error();
  Sent sent;
  sent.place.session_id = made->session->session_id;
  sent.place.task_id = made->task_id;
  sent.place.after = from;
  sent.last_index = made->last_index;
  sent.is_repeat = made->is_repeat;
  if (const auto watcher = watcher_of(call)) {
    if (is_followed) sent.claim = claim_task(watcher, sent.place.session_id, from);
    watcher->watch(sent.place.session_id, from);
  }
  co_return sent;
}

// Watches before the message is given, so that no event of its task is missed.
asio::awaitable<Result<McpMessageTool::Sent>> McpMessageTool::send(mcp::Call& call,
                                                                   std::string session_id,
                                                                   NewSession wanted,
                                                                   bool is_followed) {
  const auto session = co_await rooms_.supervisor.find(session_id);
  if (!session) co_return session.error();
  Sent sent;
  sent.place.session_id = session_id;
  sent.place.after = rooms_.journal.head();
  const auto watcher = watcher_of(call);
  if (watcher && is_followed) sent.claim = claim_task(watcher, session_id, sent.place.after);
  const bool is_new = watcher && watcher->watch(session_id, sent.place.after);
  const auto taken = co_await rooms_.supervisor.message(session_id, std::move(wanted.message),
                                                        std::move(wanted.request_id));
  if (!taken) {
    if (is_new) watcher->unwatch(session_id);
    co_return taken.error();
  }
  sent.place.task_id = taken->task_id;
  sent.last_index = taken->last_index;
  sent.is_repeat = taken->is_repeat;
  co_return sent;
}

asio::awaitable<mcp::RpcResult> McpMessageTool::answer_at_once(Sent sent) {
  const auto session = co_await rooms_.supervisor.find(sent.place.session_id);
  json::object content{{"session_id", sent.place.session_id},
                       {"task_id", sent.place.task_id},
                       {"last_index", sent.last_index},
                       {"queued", session ? (*session)->queue.size() : 0}};
  co_return mcp::structured_result(std::move(content));
}

asio::awaitable<mcp::RpcResult> McpMessageTool::follow(mcp::Call& call, FollowedTask place,
                                                       std::unique_ptr<TaskClaim> claim) {
  json::object content{{"session_id", place.session_id}, {"task_id", place.task_id}};
  McpTask task(rooms_, call, std::move(place), std::move(claim));
  const TaskResult outcome = co_await task.follow();
  if (!outcome) co_return outcome.error();
  content["last_index"] = outcome->last_index;
  content["text"] = outcome->text;
  content["status"] = outcome->status;
  content["stop_reason"] = outcome->stop_reason;
  content["usage"] = outcome->usage;
  json::object result = mcp::structured_result(std::move(content));
  if (outcome->status == "error") result["isError"] = true;
  co_return result;
}

// Where the task of a repeated message began. Refused if its end is no longer held.
asio::awaitable<Result<Sequence>> McpMessageTool::before_task(std::string session_id,
                                                              std::string task_id,
                                                              std::int64_t last_index) {
  SessionQuery first{.session_id = session_id, .after_index = last_index, .max_records = 1};
  const SessionPage begin = co_await rooms_.journal.read_session(std::move(first));
  const Sequence head = rooms_.journal.head();
  const Sequence before = begin.records.empty() ? head : begin.records.front()->sequence - 1;
  const auto session = co_await rooms_.supervisor.find(session_id);
  if (!session) co_return session.error();
  if (is_open(**session, task_id)) co_return before;
  SessionQuery ends{.session_id = session_id,
                    .after_index = last_index,
                    .types = {"completion"},
                    .max_records = kMaxCompletions};
  const SessionPage completions = co_await rooms_.journal.read_session(std::move(ends));
  for (const RecordPtr& record : completions.records) {
    if (read_completion(*record, task_id)) co_return before;
  }
  co_return Error{.kind = ErrorKind::kEventsPurged,
                  .message = "task " + task_id + " has ended, and its events are no longer held",
                  .hint = "Call session_get: last_text has the end of what the agent said last."};
}

}  // namespace oriel
