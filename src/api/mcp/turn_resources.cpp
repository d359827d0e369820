#include "api/mcp/turn_resources.h"

#include "api/error_response.h"
#include "api/mcp/session_resources.h"
#include "base/text/json_text.h"
#include "mcp/call.h"

#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxShown = 100;

}  // namespace

json::object turns_resource(const std::string& session_id, std::vector<Turn> turns) {
  const TurnPage page = page_of(std::move(turns), {.after = {}, .before = {}, .limit = kMaxShown});
  json::object shown = to_json(page);
  if (page.has_earlier) {
    const std::string first = format_turn_key(page.turns.front().key());
    shown["hint"] =
        "GET /api/sessions/" + session_id + "/turns?before=" + first + " returns earlier turns";
  }
  return shown;
}

json::object tasks_resource(const std::vector<Turn>& turns) {
  return to_json(tasks_of(turns), kMaxShown);
}

void TurnResources::add_to(mcp::Catalog& catalog) {
  catalog.templates.push_back(
      {.uri = session_turns_uri("{id}"),
       .name = "session_turns",
       .title = "Turns of an agent session",
       .description = "The last 100 turns of users and the agent, oldest first. Changes with every "
                      "turn.",
       .mime_type = std::string(kResourceType),
       .handler = [this](mcp::Call& call) { return read_turns(call); }});
  catalog.templates.push_back(
      {.uri = session_tasks_uri("{id}"),
       .name = "session_tasks",
       .title = "Tasks of an agent session",
       .description = "The last 100 tasks of a session with their status, oldest first. Changes "
                      "with every turn.",
       .mime_type = std::string(kResourceType),
       .handler = [this](mcp::Call& call) { return read_tasks(call); }});
  catalog.resources.push_back(
      {.uri = std::string(kProjectsUri),
       .name = "projects",
       .title = "Projects",
       .description =
           "The projects, with the number of running and waiting sessions. Changes when a "
           "session starts, ends or changes its state.",
       .mime_type = std::string(kResourceType),
       .handler = [this](mcp::Call& call) { return read_projects(call); }});
}

asio::awaitable<mcp::RpcResult> TurnResources::read_turns(mcp::Call& call) {
  const std::string id = call.uri_part("id");
  auto turns = co_await context_.sessions.turns(call.principal(), id);
  if (!turns) co_return to_rpc_error(turns.error());
  co_return resource_text(call, json_text(turns_resource(id, *std::move(turns))));
}

asio::awaitable<mcp::RpcResult> TurnResources::read_tasks(mcp::Call& call) {
  std::string id = call.uri_part("id");
  const auto turns = co_await context_.sessions.turns(call.principal(), std::move(id));
  if (!turns) co_return to_rpc_error(turns.error());
  co_return resource_text(call, json_text(tasks_resource(*turns)));
}

asio::awaitable<mcp::RpcResult> TurnResources::read_projects(mcp::Call& call) {
  const std::vector<ProjectInfo> projects = co_await context_.sessions.projects(call.principal());
  co_return resource_text(call, json_text(to_json(projects)));
}

}  // namespace oriel
