#include "api/mcp/session_tools.h"

#include "api/mcp/tool.h"
#include "api/session_requests.h"

#include <boost/json/array.hpp>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::int64_t kMaxListed = 1000;

// The session that the call is about; it must name one.
std::string read_session_id(ObjectReader& arguments) {
  std::string id = arguments.name("session_id");
  if (!arguments.has("session_id"))
    arguments.refuse("session_id", "is missing; session_list has those that are known");
  return id;
}

mcp::Tool list_tool() {
  return {
      .name = "session_list",
      .title = "List agent sessions",
      .description =
          "Lists the agent sessions that Oriel knows, newest first, with what each is doing. Use "
          "it to find a session_id, or to see which sessions wait for an answer (state "
          "awaiting_input).",
      .input_schema = input_schema({
          {"project_id", text_schema("Only sessions of this project.")},
          {"agent", text_schema("Only sessions of this agent.")},
          {"workspace", text_schema("Only sessions that work in this directory.")},
          {"status", choice_schema("Only sessions in this status.",
                                   {"idle", "running", "failed", "completed"})},
          {"limit", number_schema("At most so many.", 1, kMaxListed, 100)},
      }),
      .output_schema = output_schema(
          object_schema({{"sessions", list_schema("Newest first.", session_schema())},
                         {"count", number_schema("How many there are, also beyond the limit.")}},
                        {"sessions", "count"})),
      .annotations = annotations("List agent sessions", Effect::kReads, true),
      .handler = {}};
}

mcp::Tool get_tool() {
  return {.name = "session_get",
          .title = "Look at an agent session",
          .description =
              "Shows one session: its status, what the agent does now (tool), what it said last "
              "(last_text, its end only), and the permissions that wait for permission_answer. "
              "For everything that happened use session_events.",
          .input_schema =
              input_schema({{"session_id", text_schema("Of session_list.")}}, {"session_id"}),
          .output_schema = output_schema(session_schema()),
          .annotations = annotations("Look at an agent session", Effect::kReads, true),
          .handler = {}};
}

mcp::Tool cancel_tool() {
  return {.name = "session_cancel",
          .title = "Cancel the task at work",
          .description =
              "Ends the task that the agent is working on; the session goes on and takes the next "
              "message. Returns at once: the task's completion event, with status cancelled, "
              "follows. (Cancelling an MCP call never cancels the agent's task: this tool does.)",
          .input_schema =
              input_schema({{"session_id", text_schema("Of session_list.")}}, {"session_id"}),
          .output_schema = output_schema(
              object_schema({{"session_id", text_schema("")},
                             {"task_id", text_schema("Of the task that is being cancelled.")}},
                            {"session_id", "task_id"})),
          .annotations = annotations("Cancel the task at work", Effect::kChanges, true),
          .handler = {}};
}

mcp::Tool end_tool() {
  return {.name = "session_end",
          .title = "End an agent session",
          .description =
              "Ends the agent's process and the session, for good: it takes no more messages. Its "
              "events can still be read. To stop only what the agent does now, use "
              "session_cancel.",
          .input_schema =
              input_schema({{"session_id", text_schema("Of session_list.")}}, {"session_id"}),
          .output_schema = output_schema(session_schema()),
          .annotations = annotations("End an agent session", Effect::kDestroys, true),
          .handler = {}};
}

mcp::Tool agents_tool() {
  return {
      .name = "agent_list",
      .title = "List agents",
      .description =
          "Lists the coding agents that Oriel can run, whether each is installed here "
          "(available; else problem says what is missing), and which one is taken when "
          "session_message names none (default).",
      .input_schema = input_schema({}),
      .output_schema = output_schema(object_schema(
          {{"agents",
            list_schema(
                "", object_schema({{"name", text_schema("For session_message.")},
                                   {"adapter", text_schema("The language that it speaks.")},
                                   {"command", list_schema("", text_schema(""))},
                                   {"sandbox", text_schema("")},
                                   {"permissions", text_schema("Who answers its questions: ask (a "
                                                               "person), allow or deny.")},
                                   {"available", flag_schema("")},
                                   {"problem", text_schema("")}},
                                  {"name", "available", "problem"}))},
           {"default", text_schema("")}},
          {"agents", "default"})),
      .annotations = annotations("List agents", Effect::kReads, true),
      .handler = {}};
}

}  // namespace

void McpSessionTools::add_to(mcp::Catalog& catalog) {
  using Member = asio::awaitable<mcp::RpcResult> (McpSessionTools::*)(mcp::Call&);
  const auto add = [&](mcp::Tool tool, Member member) {
    tool.handler = [this, member](mcp::Call& call) { return (this->*member)(call); };
    catalog.tools.push_back(std::move(tool));
  };
  add(list_tool(), &McpSessionTools::list);
  add(get_tool(), &McpSessionTools::get);
  add(cancel_tool(), &McpSessionTools::cancel);
  add(end_tool(), &McpSessionTools::end);
  add(agents_tool(), &McpSessionTools::agents);
}

asio::awaitable<mcp::RpcResult> McpSessionTools::list(mcp::Call& call) {
  ObjectReader arguments =
      read_arguments(call, {"project_id", "agent", "workspace", "status", "limit"});
  SessionFilter filter;
  filter.project_id = arguments.text("project_id");
  filter.agent = arguments.text("agent");
  filter.workspace = arguments.text("workspace");
  filter.status =
      parse_session_status(arguments.choice("status", {"idle", "running", "failed", "completed"}));
  const auto limit = static_cast<std::size_t>(arguments.number("limit", 100, 1, kMaxListed));
  if (arguments.error()) co_return refuse(*arguments.error());
  const auto sessions = co_await rooms_.supervisor.list(std::move(filter));
  json::array list;
  for (const SessionSnapshot& session : sessions) {
    if (list.size() == limit) break;
    list.push_back(to_json(*session));
  }
  json::object content{{"sessions", std::move(list)}, {"count", sessions.size()}};
  co_return mcp::structured_result(std::move(content));
}

asio::awaitable<mcp::RpcResult> McpSessionTools::get(mcp::Call& call) {
  ObjectReader arguments = read_arguments(call, {"session_id"});
  std::string id = read_session_id(arguments);
  if (arguments.error()) co_return refuse(*arguments.error());
  const auto session = co_await rooms_.supervisor.find(std::move(id));
  if (!session) co_return refuse(session.error());
  co_return mcp::structured_result(to_json(**session));
}

asio::awaitable<mcp::RpcResult> McpSessionTools::cancel(mcp::Call& call) {
  if (auto may = check_may_write(call); !may) co_return refuse(may.error());
  ObjectReader arguments = read_arguments(call, {"session_id"});
  const std::string id = read_session_id(arguments);
  if (arguments.error()) co_return refuse(*arguments.error());
  const auto task_id = co_await rooms_.supervisor.cancel(id);
  if (!task_id) co_return refuse(task_id.error());
  json::object content{{"session_id", id}, {"task_id", *task_id}};
  co_return mcp::structured_result(std::move(content));
}

asio::awaitable<mcp::RpcResult> McpSessionTools::end(mcp::Call& call) {
  if (auto may = check_may_write(call); !may) co_return refuse(may.error());
  ObjectReader arguments = read_arguments(call, {"session_id"});
  std::string id = read_session_id(arguments);
  if (arguments.error()) co_return refuse(*arguments.error());
  const auto session = co_await rooms_.supervisor.end(std::move(id));
  if (!session) co_return refuse(session.error());
  co_return mcp::structured_result(to_json(**session));
}

asio::awaitable<mcp::RpcResult> McpSessionTools::agents(mcp::Call& call) {
  const ObjectReader arguments = read_arguments(call, {});
  if (arguments.error()) co_return refuse(*arguments.error());
  json::array list;
  for (const AgentInfo& agent : co_await rooms_.supervisor.agents())
    list.push_back(to_json(agent));
  json::object content{{"agents", std::move(list)}, {"default", rooms_.supervisor.default_agent()}};
  co_return mcp::structured_result(std::move(content));
}

}  // namespace oriel
