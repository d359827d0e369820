#include "api/mcp/event_tools.h"

#include "api/mcp/tool.h"
#include "api/session_requests.h"
#include "mcp/sessions/session.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value_from.hpp>

#include <algorithm>
#include <limits>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::int64_t kMaxIndex = std::numeric_limits<std::int64_t>::max() - 1;

mcp::Tool events_tool() {
  return {
      .name = "session_events",
      .title = "Read a session's events",
      .description =
          "Returns a session's events after since_index, oldest first: messages, tool calls and "
          "their results, permissions, status changes, completions. Pass last_index of the result "
          "as since_index next time: no event is lost or repeated. With wait_ms the call waits up "
          "to that long for the next event if there is none yet. A task is "
          "over with its completion event. Leave out deltas with types, e.g. "
          "[\"message\",\"tool_call\",\"tool_result\",\"permission\",\"error\",\"completion\","
          "\"status\"].",
      .input_schema = input_schema(
          {
              {"session_id", text_schema("From session_message or session_list.")},
              {"since_index", number_schema("Return events after this index; -1: all held events.",
                                            -1, kMaxIndex, -1)},
              {"limit", number_schema("The maximum number of events.", 1, kMaxEventsLimit,
                                      kDefaultEventsLimit)},
              {"types", list_schema("Only these types.", text_schema(""))},
              {"wait_ms",
               number_schema("How long to wait for the next event if there is none yet, in ms.", 0,
                             kMaxToolWait, 0)},
          },
          {"session_id"}),
      .output_schema = output_schema(
          object_schema({{"events", list_schema("", event_schema())},
                         {"last_index", number_schema("The since_index for the next call.")},
                         {"oldest_index", number_schema("The index of the oldest held event.")},
                         {"has_more", flag_schema("More events are available: call again.")},
                         {"status", choice_schema("The session's current status.",
                                                  {"idle", "running", "failed", "completed"})}},
                        {"events", "last_index", "oldest_index", "has_more", "status"})),
      .annotations = annotations("Read a session's events", Effect::kReads, true),
      .handler = {}};
}

Schema watch_output() {
  return output_schema(object_schema(
      {{"session_id", text_schema("")},
       {"watched", list_schema("All sessions that this client watches.", text_schema(""))},
       {"last_index", number_schema("Events after this index are pushed; session_events reads "
                                    "earlier ones.")}},
      {"session_id", "watched"}));
}

mcp::Tool watch_tool() {
  return {
      .name = "session_watch",
      .title = "Watch a session",
      .description =
          "To follow a session, call session_events with wait_ms, or session_message with wait: "
          "true. This tool is for clients that show pushed events: it pushes each new event of "
          "the session as notifications/message, until the session ends or session_unwatch is "
          "called. Only events at or above the level of logging/setLevel are pushed (debug: "
          "everything, info: all but deltas, error: errors), without a level nothing is. "
          "session_message watches its session automatically. A client of 2026-07-28 has no "
          "stream to push to: it subscribes to the resource oriel://sessions/{id}/events.",
      .input_schema =
          input_schema({{"session_id", text_schema("From session_list.")}}, {"session_id"}),
      .output_schema = watch_output(),
      .annotations = annotations("Watch a session", Effect::kReads, true),
      .handler = {}};
}

mcp::Tool unwatch_tool() {
  return {.name = "session_unwatch",
          .title = "Stop watching a session",
          .description =
              "Stops pushing the session's events to this client, as session_watch and "
              "session_message started it. The session continues.",
          .input_schema =
              input_schema({{"session_id", text_schema("From session_list.")}}, {"session_id"}),
          .output_schema = watch_output(),
          .annotations = annotations("Stop watching a session", Effect::kReads, true),
          .handler = {}};
}

mcp::Tool answer_tool() {
  return {
      .name = "permission_answer",
      .title = "Answer a permission or question",
      .description =
          "Answers a pending permission or question of an agent: a permission event with status "
          "pending, or an entry of permissions in session_get. Send exactly one of decision (allow "
          "or deny a tool), option_id (one of its options), or answers (one text for each of its "
          "questions). The first answer from any client counts. Ask the user before you allow "
          "something that they did not request.",
      .input_schema = input_schema(
          {
              {"session_id", text_schema("The session of the permission.")},
              {"permission_id", text_schema("From data.permission_id of the permission event.")},
              {"decision", choice_schema("Allow it once, or deny it.", {"allow", "deny"})},
              {"option_id", text_schema("One of its options.")},
              {"answers", list_schema("One text for each question.", text_schema(""))},
          },
          {"session_id", "permission_id"}),
      .output_schema =
          output_schema(object_schema({{"session_id", text_schema("")},
                                       {"permission_id", text_schema("")},
                                       {"status", text_schema("allowed, denied or answered.")}},
                                      {"session_id", "permission_id", "status"})),
      .annotations = annotations("Answer a permission or question", Effect::kDestroys, false),
      .handler = {}};
}

Error no_stream() {
  return {.kind = ErrorKind::kNoStream,
          .message = "this client has no MCP session, so there is no stream to push events to",
          .hint = "call session_events with wait_ms, or subscribe to oriel://sessions/{id}/events"};
}

}  // namespace

std::chrono::milliseconds tool_wait(std::int64_t wait_ms) {
  return std::chrono::milliseconds(std::min(wait_ms, kMaxToolWait));
}

std::shared_ptr<SessionWatcher> watcher_of(const mcp::Call& call) {
  if (call.is_stateless()) return nullptr;
  return std::dynamic_pointer_cast<SessionWatcher>(call.session()->companion());
}

void EventTools::add_to(mcp::Catalog& catalog) {
  using Member = asio::awaitable<mcp::RpcResult> (EventTools::*)(mcp::Call&);
  const auto add = [&](mcp::Tool tool, Member member) {
    tool.handler = [this, member](mcp::Call& call) { return (this->*member)(call); };
    catalog.tools.push_back(std::move(tool));
  };
  add(events_tool(), &EventTools::events);
  add(watch_tool(), &EventTools::watch);
  add(unwatch_tool(), &EventTools::unwatch);
  add(answer_tool(), &EventTools::answer);
}

asio::awaitable<mcp::RpcResult> EventTools::events(mcp::Call& call) {
  ObjectReader arguments =
      read_arguments(call, {"session_id", "since_index", "limit", "types", "wait_ms"});
  EventsQuery wanted;
  wanted.query.session_id = arguments.name("session_id");
  wanted.query.after_index = arguments.number("since_index", -1, -1, kMaxIndex);
  wanted.query.types = arguments.names("types");
  wanted.query.max_records =
      static_cast<std::size_t>(arguments.number("limit", kDefaultEventsLimit, 1, kMaxEventsLimit));
  wanted.query.max_bytes = kMaxEventsBytes;
  wanted.wait = tool_wait(arguments.number("wait_ms", 0, 0, kMaxEventsWait));
  if (!arguments.has("session_id")) arguments.refuse("session_id", "is missing");
  if (arguments.error()) co_return error_result(*arguments.error());
  const std::int64_t since = wanted.query.after_index;
  const auto answer =
      co_await context_.reader.read(call.principal(), std::move(wanted), call.shard());
  if (!answer) co_return error_result(answer.error());
  const SessionPage& page = answer->page;
  if (answer->is_purged) {
    const json::object data{{"asked_index", since + 1}, {"oldest_index", page.oldest_index}};
    co_return error_result(purged_error(page.oldest_index), data);
  }
  json::array events;
  for (const RecordPtr& record : page.records)
    events.push_back(json::parse(record->json()));
  json::object content{{"events", std::move(events)},
                       {"last_index", page.scanned_until},
                       {"oldest_index", page.oldest_index},
                       {"has_more", answer->has_more()},
                       {"status", name_of(answer->status)}};
  co_return mcp::structured_result(std::move(content));
}

asio::awaitable<mcp::RpcResult> EventTools::watch(mcp::Call& call) {
  ObjectReader arguments = read_arguments(call, {"session_id"});
  const std::string id = arguments.name("session_id");
  if (!arguments.has("session_id")) arguments.refuse("session_id", "is missing");
  if (arguments.error()) co_return error_result(*arguments.error());
  const Sequence after = context_.journal.head();
  const auto session = co_await context_.sessions.find(call.principal(), id);
  if (!session) co_return error_result(session.error());
  const auto watcher = watcher_of(call);
  if (!watcher) co_return error_result(no_stream());
  if ((*session)->status == SessionStatus::kCompleted)
    co_return error_result(
        {.kind = ErrorKind::kSessionEnded, .message = "session " + id + " has ended", .hint = {}});
  watcher->watch(id, after);
  // Read after the watch began, so that each later event is pushed. The session's state lags behind
  // its deltas.
  SessionQuery newest{.session_id = id, .after_index = kMaxIndex};
  const SessionPage page = co_await context_.journal.read_session(std::move(newest));
  json::object content{{"session_id", id},
                       {"watched", json::value_from(watcher->watched())},
                       {"last_index", page.last_index}};
  co_return mcp::structured_result(std::move(content));
}

asio::awaitable<mcp::RpcResult> EventTools::unwatch(mcp::Call& call) {
  ObjectReader arguments = read_arguments(call, {"session_id"});
  const std::string id = arguments.name("session_id");
  if (!arguments.has("session_id")) arguments.refuse("session_id", "is missing");
  if (arguments.error()) co_return error_result(*arguments.error());
  const auto watcher = watcher_of(call);
  if (!watcher) co_return error_result(no_stream());
  if (!watcher->unwatch(id))
    co_return error_result({.kind = ErrorKind::kNotWatched,
                            .message = "this client does not watch session " + id,
                            .hint = "no action is needed"});
  json::object content{{"session_id", id}, {"watched", json::value_from(watcher->watched())}};
  co_return mcp::structured_result(std::move(content));
}

asio::awaitable<mcp::RpcResult> EventTools::answer(mcp::Call& call) {
  ObjectReader arguments =
      read_arguments(call, {"session_id", "permission_id", "decision", "option_id", "answers"});
  const std::string id = arguments.name("session_id");
  const auto may = co_await context_.sessions.check_scope(call.principal(), Scope::kAnswer,
                                                          AuditAction::kAnswer, id);
  if (!may) co_return error_result(may.error());
  const std::string permission_id = arguments.name("permission_id");
  Decision decision = read_decision(arguments);
  for (const std::string_view key : {"session_id", "permission_id"}) {
    if (!arguments.has(key)) arguments.refuse(key, "is missing");
  }
  if (arguments.error()) co_return error_result(*arguments.error());
  const auto status =
      co_await context_.sessions.answer(call.principal(), id, permission_id, std::move(decision));
  if (!status) co_return error_result(status.error());
  json::object content{{"session_id", id}, {"permission_id", permission_id}, {"status", *status}};
  co_return mcp::structured_result(std::move(content));
}

}  // namespace oriel
