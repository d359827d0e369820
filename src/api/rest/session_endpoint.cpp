#include "api/rest/session_endpoint.h"

#include "api/error_response.h"
#include "api/json_body.h"
#include "api/query_number.h"
#include "api/session_requests.h"
#include "base/text/quote.h"
#include "http/query.h"

#include <boost/json/array.hpp>

#include <iterator>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::int64_t kDefaultListed = 100;
constexpr std::int64_t kMaxListed = 1000;

Result<SessionFilter> parse_filter(const http::Request& request) {
  SessionFilter filter;
  const auto value = [&](std::string_view name) {
    return std::string(http::query_value(request, name).value_or(""));
  };
  filter.project_id = value("project_id");
  filter.agent = value("agent");
  filter.workspace = value("workspace");
  filter.label = value("label");
  const std::string archived = value("archived");
  if (archived != "any") filter.is_archived = archived == "true";
  if (!archived.empty() && archived != "any" && archived != "true" && archived != "false") {
    return Error{.kind = ErrorKind::kInvalidParameter,
                 .message = "archived: " + quote(archived) + " is not known",
                 .hint = "choose from true, false, any"};
  }
  const std::string status = value("status");
  if (status.empty()) return filter;
  filter.status = parse_session_status(status);
  if (filter.status) return filter;
  return Error{.kind = ErrorKind::kInvalidParameter,
               .message = "status: " + quote(status) + " is not a status",
               .hint = "choose from idle, running, failed, completed"};
}

}  // namespace

void SessionEndpoint::add_routes(http::Router& router) {
  using Member = asio::awaitable<http::Response> (SessionEndpoint::*)(http::Request, Shard&);
  const auto add = [&](const char* method, const char* pattern, Scope scope, Member member) {
    router.add({method, pattern, scope, [this, member](http::Request request, Shard& shard) {
                  return (this->*member)(std::move(request), shard);
                }});
  };
  add("GET", "/api/agents", Scope::kRead, &SessionEndpoint::agents);
  add("GET", "/api/sessions", Scope::kRead, &SessionEndpoint::list);
  add("POST", "/api/sessions", Scope::kStart, &SessionEndpoint::create);
  add("GET", "/api/sessions/{id}", Scope::kRead, &SessionEndpoint::show);
  add("PATCH", "/api/sessions/{id}", Scope::kStart, &SessionEndpoint::organize);
  add("POST", "/api/sessions/{id}/messages", Scope::kStart, &SessionEndpoint::message);
  add("POST", "/api/sessions/{id}/cancel", Scope::kStart, &SessionEndpoint::cancel);
  add("POST", "/api/sessions/{id}/permissions/{permission_id}", Scope::kAnswer,
      &SessionEndpoint::answer);
  add("POST", "/api/sessions/{id}/end", Scope::kStart, &SessionEndpoint::end);
}

asio::awaitable<http::Response> SessionEndpoint::agents(http::Request request, Shard&) {
  if (auto known = http::check_query(request, {}); !known) co_return error_response(known.error());
  json::array list;
  for (const AgentInfo& agent : co_await sessions_.agents())
    list.push_back(to_json(agent, request.principal));
  json::object answer{{"agents", std::move(list)}, {"default", sessions_.default_agent()}};
  co_return http::json_response(200, answer);
}

asio::awaitable<http::Response> SessionEndpoint::create(http::Request request, Shard&) {
  JsonBody body(request, {"agent", "project_id", "workspace", "message", "request_id", "title",
                          "node", "node_labels", "permissions"});
  NewSession wanted = read_new_session(body);
  if (body.refusal()) co_return *body.refusal();
  const auto made = co_await sessions_.create(request.principal, std::move(wanted));
  if (!made) co_return error_response(made.error());
  json::object answer{{"session", to_json(*made->session)},
                      {"task_id", made->task_id},
                      {"last_index", made->last_index}};
  co_return http::json_response(made->is_repeat ? 200 : 201, answer);
}

asio::awaitable<http::Response> SessionEndpoint::list(http::Request request, Shard&) {
  const auto known = http::check_query(
      request, {"project_id", "agent", "workspace", "status", "archived", "label", "limit"});
  if (!known) co_return error_response(known.error());
  auto filter = parse_filter(request);
  if (!filter) co_return error_response(filter.error());
  const auto limit = query_number(request, "limit", kDefaultListed, 1, kMaxListed);
  if (!limit) co_return error_response(limit.error());
  const auto sessions = co_await sessions_.list(request.principal, *std::move(filter));
  json::array list;
  for (const SessionSnapshot& session : sessions) {
    if (std::ssize(list) == *limit) break;
    list.push_back(to_json(*session));
  }
  json::object answer{{"sessions", std::move(list)}, {"count", sessions.size()}};
  co_return http::json_response(200, answer);
}

asio::awaitable<http::Response> SessionEndpoint::show(http::Request request, Shard&) {
  std::string id(request.path_param("id"));
  const auto session = co_await sessions_.find(request.principal, std::move(id));
  if (!session) co_return error_response(session.error());
  co_return http::json_response(200, to_json(**session));
}

asio::awaitable<http::Response> SessionEndpoint::organize(http::Request request, Shard&) {
  JsonBody body(request, {"title", "is_pinned", "is_archived", "labels"});
  OrganizationChange change = read_organization(body);
  if (body.refusal()) co_return *body.refusal();
  std::string id(request.path_param("id"));
  const auto session =
      co_await sessions_.organize(request.principal, std::move(id), std::move(change));
  if (!session) co_return error_response(session.error());
  co_return http::json_response(200, to_json(**session));
}

asio::awaitable<http::Response> SessionEndpoint::message(http::Request request, Shard&) {
  JsonBody body(request, {"message", "request_id"});
  std::string text = body.text("message");
  std::string request_id = body.name("request_id");
  if (text.empty()) body.refuse("message", "is missing or empty");
  if (body.refusal()) co_return *body.refusal();
  std::string id(request.path_param("id"));
  const auto taken =
      co_await sessions_.message(request.principal, id, std::move(text), std::move(request_id));
  if (!taken) co_return error_response(taken.error());
  json::object answer{{"session_id", id},
                      {"task_id", taken->task_id},
                      {"last_index", taken->last_index},
                      {"queued", taken->queued}};
  co_return http::json_response(taken->is_repeat ? 200 : 202, answer);
}

asio::awaitable<http::Response> SessionEndpoint::cancel(http::Request request, Shard&) {
  JsonBody body(request, {});
  if (body.refusal()) co_return *body.refusal();
  std::string id(request.path_param("id"));
  const auto task_id = co_await sessions_.cancel(request.principal, id);
  if (!task_id) co_return error_response(task_id.error());
  json::object answer{{"session_id", id}, {"task_id", *task_id}};
  co_return http::json_response(202, answer);
}

asio::awaitable<http::Response> SessionEndpoint::answer(http::Request request, Shard&) {
  JsonBody body(request, {"decision", "option_id", "answers"});
  Decision decision = read_decision(body);
  if (body.refusal()) co_return *body.refusal();
  std::string id(request.path_param("id"));
  std::string permission_id(request.path_param("permission_id"));
  const auto status =
      co_await sessions_.answer(request.principal, id, permission_id, std::move(decision));
  if (!status) co_return error_response(status.error());
  json::object answer{{"session_id", id}, {"permission_id", permission_id}, {"status", *status}};
  co_return http::json_response(200, answer);
}

asio::awaitable<http::Response> SessionEndpoint::end(http::Request request, Shard&) {
  JsonBody body(request, {});
  if (body.refusal()) co_return *body.refusal();
  std::string id(request.path_param("id"));
  const auto session = co_await sessions_.end(request.principal, std::move(id));
  if (!session) co_return error_response(session.error());
  co_return http::json_response(200, to_json(**session));
}

}  // namespace oriel
