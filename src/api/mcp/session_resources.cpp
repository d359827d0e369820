#include "api/mcp/session_resources.h"

#include "api/error_response.h"
#include "base/text/json_access.h"
#include "base/text/json_text.h"
#include "mcp/call.h"

#include <boost/json/array.hpp>

#include <algorithm>

namespace oriel {
namespace {

namespace json = boost::json;

// Some clients read everything that is listed after each change of the list.
constexpr std::size_t kMaxListedSessions = 10;
constexpr std::int64_t kMaxEvents = 200;      // of one session
constexpr std::size_t kMaxSuggestions = 100;  // limit of the protocol

// The argument of completion/complete.
struct Typed {
  std::string name;
  std::string value;
};

Typed typed_argument(const mcp::Call& call) {
  const json::value& argument = member(call.params(), "argument");
  return {text_at(argument, "name"), text_at(argument, "value")};
}

}  // namespace

json::object resource_text(const mcp::Call& call, std::string text) {
  json::object content{
      {"uri", call.params().at("uri")}, {"mimeType", kResourceType}, {"text", std::move(text)}};
  return {{"contents", json::array{std::move(content)}}};
}

std::string session_uri(const std::string& session_id) {
  return "oriel://sessions/" + session_id;
}

std::string session_events_uri(const std::string& session_id) {
  return session_uri(session_id) + "/events";
}

std::string session_turns_uri(const std::string& session_id) {
  return session_uri(session_id) + "/turns";
}

std::string session_tasks_uri(const std::string& session_id) {
  return session_uri(session_id) + "/tasks";
}

void SessionResources::add_to(mcp::Catalog& catalog) {
  catalog.templates.push_back(
      {.uri = session_uri("{id}"),
       .name = "session",
       .title = "Agent session",
       .description =
           "The state of an agent session: status, running task and tool, pending permissions. "
           "Changes with every event of the session.",
       .mime_type = std::string(kResourceType),
       .handler = [this](mcp::Call& call) { return read_session(call); }});
  catalog.templates.push_back(
      {.uri = session_events_uri("{id}"),
       .name = "session_events",
       .title = "Events of an agent session",
       .description = "The last 200 events of a session, oldest first; session_events reads "
                      "earlier ones. Changes with every event.",
       .mime_type = std::string(kResourceType),
       .handler = [this](mcp::Call& call) { return read_events(call); }});
  catalog.more_resources = [this](mcp::Call& call) { return list(call); };
  catalog.complete = [this](mcp::Call& call) { return complete(call); };
}

asio::awaitable<mcp::RpcResult> SessionResources::list(mcp::Call& call) {
  SessionFilter all;
  const auto sessions = co_await context_.sessions.list(call.principal(), std::move(all));
  json::array resources;
  for (const SessionSnapshot& session : sessions) {
    if (resources.size() == kMaxListedSessions) break;
    if (session->status == SessionStatus::kCompleted) continue;
    const std::string& id = session->session_id;
    resources.push_back(
        {{"uri", session_uri(id)},
         {"name", id},
         {"title", session->title.empty() ? session->agent + " " + id : session->title},
         {"description", session->agent + ", " + std::string(name_of(session->status))},
         {"mimeType", kResourceType}});
  }
  co_return json::object{{"resources", std::move(resources)}};
}

asio::awaitable<mcp::RpcResult> SessionResources::read_session(mcp::Call& call) {
  std::string id = call.uri_part("id");
  const auto session = co_await context_.sessions.find(call.principal(), std::move(id));
  if (!session) co_return to_rpc_error(session.error());
  co_return resource_text(call, json_text(to_json(**session)));
}

asio::awaitable<mcp::RpcResult> SessionResources::read_events(mcp::Call& call) {
  const std::string id = call.uri_part("id");
  const auto session = co_await context_.sessions.find(call.principal(), id);
  if (!session) co_return to_rpc_error(session.error());
  EventsQuery wanted;
  wanted.query.session_id = id;
  wanted.query.after_index = std::max<std::int64_t>(-1, (*session)->last_index - kMaxEvents);
  wanted.query.max_records = kMaxEvents;
  wanted.query.max_bytes = kMaxEventsBytes;
  const auto answer =
      co_await context_.reader.read(call.principal(), std::move(wanted), call.shard());
  if (!answer) co_return to_rpc_error(answer.error());
  std::string events = "[";
  for (const RecordPtr& record : answer->page.records) {
    if (events.size() > 1) events += ',';
    events += record->json();
  }
  co_return resource_text(call, events + "]");
}

asio::awaitable<mcp::RpcResult> SessionResources::complete(mcp::Call& call) {
  const Typed typed = typed_argument(call);
  std::vector<std::string> known;
  if (typed.name == "id" || typed.name == "session_id") {
    SessionFilter all;
    const auto sessions = co_await context_.sessions.list(call.principal(), std::move(all));
    for (const SessionSnapshot& session : sessions)
      known.push_back(session->session_id);
  } else if (typed.name == "agent") {
    for (const AgentInfo& agent : co_await context_.sessions.agents())
      known.push_back(agent.spec.name);
  }
  std::erase_if(known, [&](const std::string& name) { return !name.starts_with(typed.value); });
  json::array values;
  for (const std::string& name : known) {
    if (values.size() < kMaxSuggestions) values.emplace_back(name);
  }
  json::object completion{{"values", std::move(values)},
                          {"total", known.size()},
                          {"hasMore", known.size() > kMaxSuggestions}};
  co_return json::object{{"completion", std::move(completion)}};
}

}  // namespace oriel
