// A token limited to one project, against every way in: what belongs to another project is answered
// exactly as what does not exist.

#include "mcp_client.h"
#include "programs.h"
#include "publisher.h"
#include "session_client.h"
#include "sse_client.h"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

#include <optional>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kUnknown = "ses_0123456789abcdefghijklmnop";

std::string replace_all(std::string text, const std::string& word, const std::string& by) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at))
    text.replace(at, word.size(), by);
  return text;
}

// A server with a session in project "web" and one in "api", and a token with all scopes for "web".
class ProjectScope : public testing::Test {
 protected:
  HttpResponse send(const std::string& method, const std::string& target,
                    const std::string& body = {}) const {
    Headers headers = bearer_;
    if (!body.empty()) headers.emplace_back("Content-Type", "application/json");
    return call(server_,
                {.method = method, .target = target, .headers = std::move(headers), .body = body});
  }

  // "status body" with a mark in place of the session's id.
  std::string answer_about(const std::string& id, const std::string& method,
                           const std::string& target, const std::string& body) const {
    const HttpResponse response =
        send(method, replace_all(target, "{id}", id), replace_all(body, "{id}", id));
    return std::to_string(response.status) + " " + replace_all(response.body, id, "ID");
  }

  std::string create_token() const {
    const Finished made =
        run_oriel({"token", "create", "web", "--projects", "web", "--scopes",
                   "read,answer,start,publish,hooks,admin", "--data-dir", data_.path().string()});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    return made.out.substr(0, made.out.find('\n'));
  }

  static json::object in_project(const char* project_id) { return {{"project_id", project_id}}; }

  TempDir data_;
  Headers bearer_ = {{"Authorization", "Bearer " + create_token()}};
  ServerProcess server_{{"--agent", "demo=" + demo_agent_program()}, data_.path()};
  SessionClient own_{server_, in_project("web")};
  SessionClient other_{server_, in_project("api")};
};

using R_AUTH_3_Matrix = ProjectScope;

struct RestRow {
  const char* method;
  const char* target;
  const char* body;
};

TEST_F(R_AUTH_3_Matrix, AForeignSessionIsUnknownToEveryRoute) {
  const std::vector<RestRow> rows = {
      {"GET", "/api/sessions/{id}", ""},
      {"GET", "/api/sessions/{id}/events", ""},
      {"GET", "/api/sessions/{id}/events?since_index=0&wait_ms=10", ""},
      {"GET", "/api/sessions/{id}/turns", ""},
      {"GET", "/api/sessions/{id}/tasks", ""},
      {"PATCH", "/api/sessions/{id}", R"({"title":"x"})"},
      {"GET", "/api/sessions/{id}/changes", ""},
      {"GET", "/api/sessions/{id}/changes/diff?path=a", ""},
      {"GET", "/api/sessions/{id}/files/file_1", ""},
      {"GET", "/api/sessions/{id}/paths?match=a", ""},
      {"POST", "/api/sessions/{id}/messages", R"({"message":"list"})"},
      {"POST", "/api/sessions/{id}/cancel", "{}"},
      {"POST", "/api/sessions/{id}/permissions/perm_1", R"({"decision":"allow"})"},
      {"POST", "/api/sessions/{id}/end", "{}"},
      {"POST", "/api/turns", R"({"session_id":"{id}","text":"list","source":"voice"})"},
  };
  for (const RestRow& row : rows) {
    const std::string foreign = answer_about(other_.id(), row.method, row.target, row.body);
    const std::string unknown = answer_about(kUnknown, row.method, row.target, row.body);
    EXPECT_EQ(foreign, unknown) << row.method << " " << row.target;
    EXPECT_THAT(foreign, testing::StartsWith("404 ")) << row.method << " " << row.target;
  }
  EXPECT_EQ(other_.status(), "idle") << "nothing has reached it";
  EXPECT_EQ(send("GET", "/api/sessions/" + own_.id()).status, 200);
}

TEST_F(R_AUTH_3_Matrix, ListsShowItsProjectOnly) {
  const json::object sessions = send("GET", "/api/sessions").json();
  EXPECT_EQ(sessions.at("count"), 1);
  const json::object projects = send("GET", "/api/projects").json();
  ASSERT_EQ(projects.at("projects").as_array().size(), 1U);
  EXPECT_EQ(projects.at("projects").at(0).at("project_id"), "web");
  EXPECT_THAT(send("GET", "/api/audit").body, Not(HasSubstr(other_.id())));
}

TEST_F(R_AUTH_3_Matrix, NothingStartsPublishesOrReportsOutsideItsProject) {
  EXPECT_EQ(send("POST", "/api/sessions", R"({"project_id":"api"})").status, 403);
  for (const char* event : {R"({"type":"n","project_id":"api"})", R"({"type":"n"})",
                            R"({"type":"n","project_id":"api","session_id":"build-1"})"})
    EXPECT_EQ(send("POST", "/api/events", event).status, 403) << event;
  EXPECT_EQ(send("POST", "/api/events", R"({"type":"n","project_id":"web"})").status, 201);
  const std::string hook = R"({"session_id":"native","cwd":"/srv/api","prompt":"hi"})";
  EXPECT_EQ(send("POST", "/api/hooks/user-prompt-submit", hook).status, 403);
  for (const char* method : {"GET", "DELETE"})
    EXPECT_EQ(send(method, "/api/import").status, 403) << method;
  EXPECT_EQ(send("POST", "/api/import", "{}").status, 403);
}

TEST_F(R_AUTH_3_Matrix, AForeignRequestIdRevealsNothing) {
  const std::string body = R"({"request_id":"r1","project_id":")";
  post_json(server_, "/api/sessions", {{"request_id", "r1"}, {"project_id", "api"}});
  const HttpResponse mine = send("POST", "/api/sessions", body + "web\"}");
  EXPECT_EQ(mine.status, 201);
  EXPECT_EQ(mine.json().at("session").at("project_id"), "web");
}

TEST_F(R_AUTH_3_Matrix, StreamsShowItsProjectLiveReplayedAndByTicket) {
  SseClient before(server_);
  const std::string start = before.hello().id;
  SseClient live(server_, SseRequest{.target = "/api/events?types=n", .headers = bearer_});
  live.hello();
  const std::string ticket(send("POST", "/api/tickets").json().at("ticket").as_string());
  SseClient by_ticket(server_, "/api/events?types=n&ticket=" + ticket);
  by_ticket.hello();
  Publisher publisher(server_);
  for (const char* event : {R"({"type":"n","project_id":"api"})", R"({"type":"n"})",
                            R"({"type":"n","project_id":"web"})"})
    publisher.publish(event);
  Headers headers = bearer_;
  headers.emplace_back("Last-Event-ID", start);
  SseClient replayed(server_, SseRequest{.target = "/api/events?types=n", .headers = headers});
  for (SseClient* client : {&live, &by_ticket, &replayed})
    EXPECT_EQ(client->next_event().json().at("project_id"), "web");
  EXPECT_EQ(send("GET", "/api/events?project_id=api").status, 403);
}

TEST_F(R_AUTH_3_Matrix, ClientsOfOtherProjectsAreHidden) {
  SseClient all(server_);
  SseClient mine(server_, SseRequest{.target = "/api/events", .headers = bearer_});
  const std::string hidden = all.client_id();
  const std::string shown = mine.client_id();
  const json::object listed = send("GET", "/api/clients").json();
  ASSERT_EQ(listed.at("clients").as_array().size(), 1U);
  EXPECT_EQ(listed.at("clients").at(0).at("client_id"), json::value(shown));
  EXPECT_EQ(send("GET", "/api/clients/" + hidden).status, 404);
  EXPECT_EQ(send("GET", "/api/clients/" + shown).status, 200);
}

// The arguments of a tool for this session; none for a tool that names no session.
std::optional<json::object> arguments_of(const std::string& tool, const std::string& session_id) {
  if (tool == "session_list" || tool == "agent_list") return std::nullopt;
  json::object arguments{{"session_id", session_id}};
  if (tool == "session_message") arguments["message"] = "list";
  if (tool == "session_search") arguments["q"] = "list";
  if (tool == "permission_answer") {
    arguments["permission_id"] = "perm_1";
    arguments["decision"] = "allow";
  }
  return arguments;
}

TEST_F(R_AUTH_3_Matrix, AForeignSessionIsUnknownToEveryTool) {
  McpClient mcp(server_, {.headers = bearer_});
  const auto answer_about = [&](const std::string& tool, const std::string& id) {
    const json::object result = mcp.tool_result(tool, *arguments_of(tool, id));
    return replace_all(json::serialize(result), id, "ID");
  };
  const json::object tools = mcp.request("tools/list", {});
  ASSERT_FALSE(tools.at("tools").as_array().empty());
  for (const json::value& tool : tools.at("tools").as_array()) {
    const std::string name(tool.at("name").as_string());
    if (!arguments_of(name, "")) continue;
    EXPECT_EQ(answer_about(name, other_.id()), answer_about(name, kUnknown)) << name;
  }
  EXPECT_EQ(other_.status(), "idle") << "nothing has reached it";
  EXPECT_EQ(mcp.tool("session_list", {}).at("count"), 1);
  const json::object started =
      mcp.tool_result("session_message", {{"message", "list"}, {"project_id", "api"}});
  EXPECT_EQ(started.at("isError"), true);
}

TEST_F(R_AUTH_3_Matrix, AForeignSessionIsNoResource) {
  McpClient mcp(server_, {.headers = bearer_});
  const auto answer_about = [&](const std::string& id, const std::string& part) {
    const json::object params{{"uri", "oriel://sessions/" + id + part}};
    const Message answer = mcp.begin("resources/read", params)->until_answer().back();
    const bool is_error = answer.contains("error");
    EXPECT_TRUE(is_error) << part;
    return is_error ? replace_all(json::serialize(answer.at("error")), id, "ID") : "";
  };
  for (const std::string part : {"", "/events", "/turns", "/tasks"})
    EXPECT_EQ(answer_about(other_.id(), part), answer_about(kUnknown, part)) << part;
  EXPECT_THAT(json::serialize(mcp.request("resources/list", {})), Not(HasSubstr(other_.id())));
  const std::string projects =
      json::serialize(mcp.request("resources/read", {{"uri", "oriel://projects"}}));
  EXPECT_THAT(projects, HasSubstr("web"));
  EXPECT_THAT(projects, Not(HasSubstr("\\\"api\\\"")));
}

TEST_F(R_AUTH_3_Matrix, ASubscriptionReportsItsProjectOnly) {
  McpClient mcp(server_, {.headers = bearer_});
  const auto stream = mcp.listen();
  stream->head();
  for (const std::string& id : {other_.id(), own_.id()})
    mcp.request("resources/subscribe", {{"uri", "oriel://sessions/" + id}});
  EXPECT_EQ(other_.end().status, 200);
  EXPECT_EQ(own_.end().status, 200);
  const Message told = stream->next_with("notifications/resources/updated");
  EXPECT_EQ(told.at("params").at("uri"), json::value("oriel://sessions/" + own_.id()));
}

TEST_F(R_AUTH_3_Matrix, AnMcpSessionAndItsStreamBelongToTheirPrincipal) {
  McpClient theirs(server_);
  theirs.tool("session_watch", {{"session_id", other_.id()}});
  HttpRequest resume = theirs.post({});
  resume.method = "GET";
  resume.body.clear();
  resume.headers.insert(resume.headers.end(), bearer_.begin(), bearer_.end());
  EXPECT_EQ(call(server_, resume).status, 404);
  HttpRequest ping =
      theirs.post({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "ping"}, {"params", json::object()}});
  ping.headers.insert(ping.headers.end(), bearer_.begin(), bearer_.end());
  EXPECT_EQ(call(server_, ping).status, 404);
}

}  // namespace
}  // namespace oriel
