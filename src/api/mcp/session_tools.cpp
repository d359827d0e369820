#include "api/mcp/session_tools.h"

#include "api/mcp/tool.h"
#include "api/session_requests.h"
#include "base/text/json_text.h"
#include "base/text/printable.h"

#include <boost/json/array.hpp>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::int64_t kMaxListedByTool = 1000;
constexpr std::int64_t kDefaultListedByTool = 20;
constexpr std::size_t kMaxListBytes = 4096;  // unless a limit or details were requested
constexpr std::size_t kMaxRowTitle = 40;     // columns

// Required.
std::string read_session_id(ObjectReader& arguments) {
  std::string id = arguments.name("session_id");
  if (!arguments.has("session_id"))
    arguments.refuse("session_id", "is missing; session_list lists the sessions");
  return id;
}

mcp::Tool list_tool() {
  return {
      .name = "session_list",
      .title = "List agent sessions",
      .description =
          "Lists the agent sessions, newest first, in short: at most 20 and 4 KB, unless limit "
          "asks "
          "for more. Use it to find a session_id, or sessions that wait for an answer (state "
          "awaiting_input). session_get shows all of one session, detail: true of each.",
      .input_schema = input_schema({
          {"project_id", text_schema("Only sessions of this project.")},
          {"agent", text_schema("Only sessions of this agent.")},
          {"workspace", text_schema("Only sessions with this working directory.")},
          {"status", choice_schema("Only sessions with this status.",
                                   {"idle", "running", "failed", "completed"})},
          {"label", text_schema("Only sessions with this label.")},
          {"archived", choice_schema("Only archived sessions, or with any all. Default: false.",
                                     {"true", "false", "any"})},
          {"limit", number_schema("The maximum number of sessions.", 1, kMaxListedByTool,
                                  kDefaultListedByTool)},
          {"detail", flag_schema("Return whole sessions, as session_get. Default: false.")},
      }),
      .output_schema = output_schema(object_schema(
          {{"sessions", list_schema("Newest first.", session_row_schema())},
           {"count",
            number_schema("The number of matching sessions, including those beyond the limit.")},
           {"has_more", flag_schema("Not all are listed: filter, or ask for more with limit.")}},
          {"sessions", "count", "has_more"})),
      .annotations = annotations("List agent sessions", Effect::kReads, true),
      .handler = {}};
}

mcp::Tool get_tool() {
  return {.name = "session_get",
          .title = "Show an agent session",
          .description =
              "Shows one session: its status, the running tool, the end of the agent's last text "
              "(last_text), and the pending permissions, which permission_answer answers. For all "
              "events use session_events.",
          .input_schema =
              input_schema({{"session_id", text_schema("From session_list.")}}, {"session_id"}),
          .output_schema = output_schema(session_schema()),
          .annotations = annotations("Show an agent session", Effect::kReads, true),
          .handler = {}};
}

mcp::Tool update_tool() {
  return {.name = "session_update",
          .title = "Rename or organize a session",
          .description =
              "Sets the title of a session, its labels, and whether it is pinned or archived. What "
              "is left out stays as it is. An empty title is the session's own again.",
          .input_schema =
              input_schema({{"session_id", text_schema("From session_list.")},
                            {"title", text_schema("At most 1 KiB, in one line.")},
                            {"is_pinned", flag_schema("Keep it at the top.")},
                            {"is_archived", flag_schema("Hide it from lists.")},
                            {"labels", list_schema("All its labels, at most 20 of A-Z a-z 0-9 . _ "
                                                   ": -",
                                                   text_schema(""))}},
                           {"session_id"}),
          .output_schema = output_schema(session_schema()),
          .annotations = annotations("Rename or organize a session", Effect::kChanges, true),
          .handler = {}};
}

mcp::Tool cancel_tool() {
  return {.name = "session_cancel",
          .title = "Cancel the running task",
          .description =
              "Cancels the running task; the session continues with the next message. Returns at "
              "once: the task's completion event, with status cancelled, follows. (Cancelling an "
              "MCP call does not cancel the agent's task.)",
          .input_schema =
              input_schema({{"session_id", text_schema("From session_list.")}}, {"session_id"}),
          .output_schema = output_schema(
              object_schema({{"session_id", text_schema("")},
                             {"task_id", text_schema("The task that is being cancelled.")}},
                            {"session_id", "task_id"})),
          .annotations = annotations("Cancel the running task", Effect::kChanges, true),
          .handler = {}};
}

mcp::Tool end_tool() {
  return {
      .name = "session_end",
      .title = "End an agent session",
      .description =
          "Stops the agent's process and ends the session for good: it accepts no more messages. "
          "Its events stay readable. To stop only the running task, use session_cancel.",
      .input_schema =
          input_schema({{"session_id", text_schema("From session_list.")}}, {"session_id"}),
      .output_schema = output_schema(session_schema()),
      .annotations = annotations("End an agent session", Effect::kDestroys, true),
      .handler = {}};
}

mcp::Tool agents_tool() {
  return {
      .name = "agent_list",
      .title = "List agents",
      .description =
          "Lists the coding agents that Oriel can run, whether each is installed (available; "
          "problem says what is missing), and which one session_message uses by default.",
      .input_schema = input_schema({}),
      .output_schema = output_schema(object_schema(
          {{"agents",
            list_schema(
                "", object_schema({{"name", text_schema("The value for agent in session_message.")},
                                   {"adapter", text_schema("The protocol that it speaks.")},
                                   {"command", list_schema("Only for a token that may write.",
                                                           text_schema(""))},
                                   {"sandbox", text_schema("")},
                                   {"permissions", text_schema("How permissions are decided: ask "
                                                               "(a person), allow or deny.")},
                                   {"available", flag_schema("")},
                                   {"problem", text_schema("")}},
                                  {"name", "available", "problem"}))},
           {"default", text_schema("")}},
          {"agents", "default"})),
      .annotations = annotations("List agents", Effect::kReads, true),
      .handler = {}};
}

json::object short_row(const SessionState& session) {
  json::object row{{"session_id", session.session_id},
                   {"agent", session.agent},
                   {"title", printable(session.title, kMaxRowTitle)},
                   {"status", name_of(session.status)},
                   {"state", name_of(session.state)},
                   {"updated_at", format_time(session.updated_at)}};
  if (!session.project_id.empty()) row["project_id"] = session.project_id;
  return row;
}

// The first rows that fit.
json::array first_rows(json::array rows, std::size_t max_bytes) {
  std::size_t bytes = 0;
  std::size_t fitting = 0;
  while (fitting < rows.size()) {
    bytes += json_text(rows[fitting]).size() + 1;
    if (bytes > max_bytes) break;
    ++fitting;
  }
  rows.resize(fitting);
  return rows;
}

}  // namespace

void SessionTools::add_to(mcp::Catalog& catalog) {
  using Member = asio::awaitable<mcp::RpcResult> (SessionTools::*)(mcp::Call&);
  const auto add = [&](mcp::Tool tool, Member member) {
    tool.handler = [this, member](mcp::Call& call) { return (this->*member)(call); };
    catalog.tools.push_back(std::move(tool));
  };
  add(list_tool(), &SessionTools::list);
  add(get_tool(), &SessionTools::get);
  add(update_tool(), &SessionTools::update);
  add(cancel_tool(), &SessionTools::cancel);
  add(end_tool(), &SessionTools::end);
  add(agents_tool(), &SessionTools::agents);
}

asio::awaitable<mcp::RpcResult> SessionTools::list(mcp::Call& call) {
  ObjectReader arguments = read_arguments(
      call, {"project_id", "agent", "workspace", "status", "label", "archived", "limit", "detail"});
  SessionFilter filter;
  filter.project_id = arguments.text("project_id");
  filter.agent = arguments.text("agent");
  filter.workspace = arguments.text("workspace");
  filter.label = arguments.text("label");
  const std::string archived = arguments.choice("archived", {"true", "false", "any"});
  if (archived != "any") filter.is_archived = archived == "true";
  filter.status =
      parse_session_status(arguments.choice("status", {"idle", "running", "failed", "completed"}));
  const auto limit = static_cast<std::size_t>(
      arguments.number("limit", kDefaultListedByTool, 1, kMaxListedByTool));
  const bool has_limit = arguments.has("limit");
  const bool is_detailed = arguments.flag("detail").value_or(false);
  if (arguments.error()) co_return error_result(*arguments.error());
  const auto sessions = co_await context_.sessions.list(call.principal(), std::move(filter));
  json::array list;
  for (const SessionSnapshot& session : sessions) {
    if (list.size() == limit) break;
    list.push_back(is_detailed ? to_json(*session) : short_row(*session));
  }
  json::object content{
      {"sessions", json::array()}, {"count", sessions.size()}, {"has_more", false}};
  if (!is_detailed && !has_limit)
    list = first_rows(std::move(list), kMaxListBytes - json_text(content).size());
  content["has_more"] = list.size() < sessions.size();
  content["sessions"] = std::move(list);
  co_return mcp::structured_result(std::move(content));
}

asio::awaitable<mcp::RpcResult> SessionTools::get(mcp::Call& call) {
  ObjectReader arguments = read_arguments(call, {"session_id"});
  std::string id = read_session_id(arguments);
  if (arguments.error()) co_return error_result(*arguments.error());
  const auto session = co_await context_.sessions.find(call.principal(), std::move(id));
  if (!session) co_return error_result(session.error());
  co_return mcp::structured_result(to_json(**session));
}

asio::awaitable<mcp::RpcResult> SessionTools::update(mcp::Call& call) {
  ObjectReader arguments =
      read_arguments(call, {"session_id", "title", "is_pinned", "is_archived", "labels"});
  std::string id = read_session_id(arguments);
  if (!call.principal().may(Scope::kStart)) {
    co_return error_result(
        {.kind = ErrorKind::kMissingScope,
         .message = "the credential " + call.principal().name + " lacks the scope start",
         .hint = "ask the operator of Oriel for a token with this scope"});
  }
  OrganizationChange change = read_organization(arguments);
  if (arguments.error()) co_return error_result(*arguments.error());
  const auto session =
      co_await context_.sessions.organize(call.principal(), std::move(id), std::move(change));
  if (!session) co_return error_result(session.error());
  co_return mcp::structured_result(to_json(**session));
}

asio::awaitable<mcp::RpcResult> SessionTools::cancel(mcp::Call& call) {
  ObjectReader arguments = read_arguments(call, {"session_id"});
  const std::string id = read_session_id(arguments);
  const auto may = co_await context_.sessions.check_scope(call.principal(), Scope::kStart,
                                                          AuditAction::kCancel, id);
  if (!may) co_return error_result(may.error());
  if (arguments.error()) co_return error_result(*arguments.error());
  const auto task_id = co_await context_.sessions.cancel(call.principal(), id);
  if (!task_id) co_return error_result(task_id.error());
  json::object content{{"session_id", id}, {"task_id", *task_id}};
  co_return mcp::structured_result(std::move(content));
}

asio::awaitable<mcp::RpcResult> SessionTools::end(mcp::Call& call) {
  ObjectReader arguments = read_arguments(call, {"session_id"});
  std::string id = read_session_id(arguments);
  const auto may = co_await context_.sessions.check_scope(call.principal(), Scope::kStart,
                                                          AuditAction::kEnd, id);
  if (!may) co_return error_result(may.error());
  if (arguments.error()) co_return error_result(*arguments.error());
  const auto session = co_await context_.sessions.end(call.principal(), std::move(id));
  if (!session) co_return error_result(session.error());
  co_return mcp::structured_result(to_json(**session));
}

asio::awaitable<mcp::RpcResult> SessionTools::agents(mcp::Call& call) {
  const ObjectReader arguments = read_arguments(call, {});
  if (arguments.error()) co_return error_result(*arguments.error());
  json::array list;
  for (const AgentInfo& agent : co_await context_.sessions.agents())
    list.push_back(to_json(agent, call.principal()));
  json::object content{{"agents", std::move(list)}, {"default", context_.sessions.default_agent()}};
  co_return mcp::structured_result(std::move(content));
}

}  // namespace oriel
