#include "api/mcp/event_tools.h"

#include "api/mcp/tool.h"
#include "api/session_requests.h"
#include "mcp/sessions/session.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value_from.hpp>

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
          "Returns what happened in a session after since_index, oldest first: messages, tool "
          "calls and their results, permissions, status changes, completions. Keep last_index of "
          "the answer and give it as since_index next time: nothing is lost or doubled. With "
          "wait_ms the call waits so long for the next event when there is none yet. A task is "
          "over with its completion event. Leave out deltas with types, e.g. "
          "[\"message\",\"tool_call\",\"tool_result\",\"permission\",\"error\",\"completion\","
          "\"status\"].",
      .input_schema = input_schema(
          {
              {"session_id", text_schema("Of session_message or session_list.")},
              {"since_index",
               number_schema("Events after this index; -1: all that are held.", -1, kMaxIndex, -1)},
              {"limit",
               number_schema("At most so many events.", 1, kMaxEventsLimit, kDefaultEventsLimit)},
              {"types", list_schema("Only these types.", text_schema(""))},
              {"wait_ms", number_schema("How long to wait for the next event if there is none yet.",
                                        0, kMaxEventsWait, 0)},
          },
          {"session_id"}),
      .output_schema = output_schema(object_schema(
          {{"events", list_schema("", event_schema())},
           {"last_index", number_schema("How far this answer came: the next since_index.")},
           {"oldest_index", number_schema("Of the oldest event that is held.")},
           {"has_more", flag_schema("More events are there already: call again.")},
           {"status",
            choice_schema("Of the session, now.", {"idle", "running", "failed", "completed"})}},
          {"events", "last_index", "oldest_index", "has_more", "status"})),
      .annotations = annotations("Read a session's events", Effect::kReads, true),
      .handler = {}};
}

Schema watch_output() {
  return output_schema(object_schema(
      {{"session_id", text_schema("")},
       {"watched", list_schema("All sessions that this client watches now.", text_schema(""))},
       {"last_index", number_schema("Events after this index are pushed; those before it can be "
                                    "read with session_events.")}},
      {"session_id", "watched"}));
}

mcp::Tool watch_tool() {
  return {.name = "session_watch",
          .title = "Watch a session",
          .description =
              "From now on pushes each event of the session to this client as "
              "notifications/message, until the session ends or session_unwatch. Set a level "
              "first with logging/setLevel: debug for everything, info for all but deltas, error "
              "for errors only; without one nothing is pushed. session_message watches by itself. "
              "A client of 2026-07-28 has no stream to push to: it subscribes to the resource "
              "oriel://sessions/{id}/events, or calls session_events with wait_ms.",
          .input_schema =
              input_schema({{"session_id", text_schema("Of session_list.")}}, {"session_id"}),
          .output_schema = watch_output(),
          .annotations = annotations("Watch a session", Effect::kReads, true),
          .handler = {}};
}

mcp::Tool unwatch_tool() {
  return {.name = "session_unwatch",
          .title = "Stop watching a session",
          .description =
              "Ends what session_watch or session_message began: no more events of the "
              "session are pushed to this client. The session itself goes on.",
          .input_schema =
              input_schema({{"session_id", text_schema("Of session_list.")}}, {"session_id"}),
          .output_schema = watch_output(),
          .annotations = annotations("Stop watching a session", Effect::kReads, true),
          .handler = {}};
}

mcp::Tool answer_tool() {
  return {
      .name = "permission_answer",
      .title = "Answer an agent's question",
      .description =
          "Answers a question that an agent waits for: a permission event with status pending, or "
          "an entry of permissions in session_get. Give exactly one of decision (allow or deny a "
          "tool), option_id (one of its options), or answers (one text for each of its questions). "
          "The first answer counts, whoever gives it. Ask the person you work for before you "
          "allow something that they have not asked for.",
      .input_schema = input_schema(
          {
              {"session_id", text_schema("The session that asks.")},
              {"permission_id", text_schema("Of the permission event, in data.permission_id.")},
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
      .annotations = annotations("Answer an agent's question", Effect::kDestroys, false),
      .handler = {}};
}

Error no_watcher() {
  return {
      .kind = ErrorKind::kNoStream,
      .message = "this client has no MCP session, so that there is no stream to push events to",
      .hint = "Call session_events with wait_ms, or subscribe to oriel://sessions/{id}/events."};
}

}  // namespace

std::shared_ptr<McpWatcher> watcher_of(const mcp::Call& call) {
  if (call.is_stateless()) return nullptr;
  return std::static_pointer_cast<McpWatcher>(call.session()->companion());
}

void McpEventTools::add_to(mcp::Catalog& catalog) {
  using Member = asio::awaitable<mcp::RpcResult> (McpEventTools::*)(mcp::Call&);
  const auto add = [&](mcp::Tool tool, Member member) {
    tool.handler = [this, member](mcp::Call& call) { return (this->*member)(call); };
    catalog.tools.push_back(std::move(tool));
  };
  add(events_tool(), &McpEventTools::events);
  add(watch_tool(), &McpEventTools::watch);
  add(unwatch_tool(), &McpEventTools::unwatch);
  add(answer_tool(), &McpEventTools::answer);
}

asio::awaitable<mcp::RpcResult> McpEventTools::events(mcp::Call& call) {
  ObjectReader arguments =
      read_arguments(call, {"session_id", "since_index", "limit", "types", "wait_ms"});
  EventsQuery wanted;
  wanted.query.session_id = arguments.name("session_id");
  wanted.query.after_index = arguments.number("since_index", -1, -1, kMaxIndex);
  wanted.query.types = arguments.names("types");
  wanted.query.max_records =
      static_cast<std::size_t>(arguments.number("limit", kDefaultEventsLimit, 1, kMaxEventsLimit));
  wanted.query.max_bytes = kMaxEventsBytes;
  wanted.wait = std::chrono::milliseconds(arguments.number("wait_ms", 0, 0, kMaxEventsWait));
  if (!arguments.has("session_id")) arguments.refuse("session_id", "is missing");
  if (arguments.error()) co_return refuse(*arguments.error());
  const std::int64_t since = wanted.query.after_index;
  const auto answer = co_await rooms_.reader.read(std::move(wanted), call.shard());
  if (!answer) co_return refuse(answer.error());
  const SessionPage& page = answer->page;
  if (answer->is_purged) {
    const json::object data{{"asked_index", since + 1}, {"oldest_index", page.oldest_index}};
    co_return refuse(purged_error(page.oldest_index), data);
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

asio::awaitable<mcp::RpcResult> McpEventTools::watch(mcp::Call& call) {
  ObjectReader arguments = read_arguments(call, {"session_id"});
  const std::string id = arguments.name("session_id");
  if (!arguments.has("session_id")) arguments.refuse("session_id", "is missing");
  if (arguments.error()) co_return refuse(*arguments.error());
  const Sequence after = rooms_.journal.head();
  const auto session = co_await rooms_.supervisor.find(id);
  if (!session) co_return refuse(session.error());
  const auto watcher = watcher_of(call);
  if (!watcher) co_return refuse(no_watcher());
  if ((*session)->status == SessionStatus::kCompleted)
    co_return refuse({.kind = ErrorKind::kSessionEnded,
                      .message = "session " + id + " has ended: nothing more will come",
                      .hint = {}});
  watcher->watch(id, after);
  json::object content{{"session_id", id},
                       {"watched", json::value_from(watcher->watched())},
                       {"last_index", (*session)->last_index}};
  co_return mcp::structured_result(std::move(content));
}

asio::awaitable<mcp::RpcResult> McpEventTools::unwatch(mcp::Call& call) {
  ObjectReader arguments = read_arguments(call, {"session_id"});
  const std::string id = arguments.name("session_id");
  if (!arguments.has("session_id")) arguments.refuse("session_id", "is missing");
  if (arguments.error()) co_return refuse(*arguments.error());
  const auto watcher = watcher_of(call);
  if (!watcher) co_return refuse(no_watcher());
  if (!watcher->unwatch(id))
    co_return refuse({.kind = ErrorKind::kNotWatched,
                      .message = "this client does not watch session " + id,
                      .hint = "Nothing is to be done."});
  json::object content{{"session_id", id}, {"watched", json::value_from(watcher->watched())}};
  co_return mcp::structured_result(std::move(content));
}

asio::awaitable<mcp::RpcResult> McpEventTools::answer(mcp::Call& call) {
  if (auto may = check_may_write(call); !may) co_return refuse(may.error());
  ObjectReader arguments =
      read_arguments(call, {"session_id", "permission_id", "decision", "option_id", "answers"});
  const std::string id = arguments.name("session_id");
  const std::string permission_id = arguments.name("permission_id");
  Decision decision = read_decision(arguments, call.principal().name);
  for (const std::string_view key : {"session_id", "permission_id"}) {
    if (!arguments.has(key)) arguments.refuse(key, "is missing");
  }
  if (arguments.error()) co_return refuse(*arguments.error());
  const auto status = co_await rooms_.supervisor.answer(id, permission_id, std::move(decision));
  if (!status) co_return refuse(status.error());
  json::object content{{"session_id", id}, {"permission_id", permission_id}, {"status", *status}};
  co_return mcp::structured_result(std::move(content));
}

}  // namespace oriel
