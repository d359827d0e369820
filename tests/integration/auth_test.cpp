// Who may use the server: the operator, tokens, from the command line to the stream.

#include "mcp_client.h"
#include "programs.h"
#include "prometheus_text.h"
#include "publisher.h"
#include "raw_client.h"
#include "sse_client.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <fstream>
#include <unistd.h>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

class Auth : public testing::Test {
 protected:
  Finished token(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "token");
    arguments.insert(arguments.end(), {"--data-dir", data_.path().string()});
    return run_oriel(arguments);
  }

  // The secret of a new token.
  std::string create(const std::string& name, const std::vector<std::string>& flags = {}) const {
    std::vector<std::string> arguments = {"create", name};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const Finished made = token(arguments);
    EXPECT_EQ(made.exit_code, 0) << made.err;
    EXPECT_THAT(made.out, MatchesRegex("oriel_[A-Za-z0-9_-]+\n"));
    return made.out.substr(0, made.out.find('\n'));
  }

  static Headers bearer(const std::string& secret) {
    return {{"Authorization", "Bearer " + secret}};
  }

  static HttpResponse publish(const ServerProcess& server, Headers headers) {
    headers.emplace_back("Content-Type", "application/json");
    return call(server, {.method = "POST",
                         .target = "/api/events",
                         .headers = std::move(headers),
                         .body = R"({"type":"n"})"});
  }

  static bool is_refused(const ServerProcess& server, const Headers& headers) {
    return get(server, "/api/sessions", headers).status == 401;
  }

  // A server where everybody needs a credential.
  ServerProcess strict_server(std::vector<std::string> flags = {}) const {
    flags.insert(flags.end(), {"--local-trust", "none"});
    return ServerProcess(flags, data_.path());
  }

  std::filesystem::path token_file() const { return data_.path() / "tokens.json"; }

  TempDir data_;
};

using R_AUTH_1 = Auth;
using R_AUTH_2 = Auth;
using R_AUTH_3 = Auth;
using R_AUTH_6 = Auth;

// The first digit of the status that a process of this user gets from a port or Unix socket, or 0.
template <class Address>
int status_for_user(uid_t user, const Address& address, const std::string& path) {
  const pid_t child = fork();
  if (child == 0) {
    if (setgid(user) != 0 || setuid(user) != 0) _exit(1);
    RawClient client(address);
    client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    _exit(read_response(client).status / 100);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

TEST_F(R_AUTH_1, TheServersOwnUserNeedsNoCredential) {
  create("ci");
  ServerProcess server({}, data_.path());
  EXPECT_EQ(get(server, "/api/sessions").status, 200);
  EXPECT_EQ(publish(server, {}).status, 201);
  EXPECT_EQ(run_oriel({"publish", "n", "--url", server.url()}).exit_code, 0);
}

TEST_F(R_AUTH_1, AnotherUserOfTheMachineIsNobody) {
  if (getuid() != 0) GTEST_SKIP() << "only root can become another user";
  ServerProcess server({}, data_.path());
  constexpr uid_t kNobody = 65534;
  EXPECT_EQ(status_for_user(kNobody, server.port(), "/health"), 2);
  for (const std::string path : {"/api/sessions", "/api/events", "/mcp", "/metrics"})
    EXPECT_EQ(status_for_user(kNobody, server.port(), path), 4) << path;
  EXPECT_EQ(status_for_user(0, server.port(), "/api/sessions"), 2);
}

TEST_F(R_AUTH_1, TheServersOwnUserNeedsNoCredentialOverTheUnixSocket) {
  ServerProcess server({}, data_.path());
  RawClient client(server.socket());
  EXPECT_EQ(call(client, {.target = "/api/sessions"}).status, 200);
  const HttpResponse made = call(client, {.method = "POST",
                                          .target = "/api/sessions",
                                          .headers = {{"Content-Type", "application/json"}},
                                          .body = "{}"});
  EXPECT_EQ(made.status, 201);
  const Finished audit = run_oriel({"audit", "--url", server.url()});
  EXPECT_THAT(audit.out, HasSubstr("by local from unix"));
}

TEST_F(R_AUTH_1, TheUnixSocketAsksAForwardedRequestForACredential) {
  ServerProcess server({}, data_.path());
  RawClient client(server.socket());
  EXPECT_EQ(call(client, {.target = "/api/sessions", .headers = {{"Via", "1.1 proxy"}}}).status,
            401);
  EXPECT_EQ(call(client, {.target = "/api/sessions", .host = "example.org"}).status, 403);
}

TEST_F(R_AUTH_1, WithoutLocalTrustTheUnixSocketNeedsACredential) {
  const std::string secret = create("ci");
  ServerProcess server = strict_server();
  RawClient client(server.socket());
  EXPECT_EQ(call(client, {.target = "/health"}).status, 200);
  EXPECT_EQ(call(client, {.target = "/api/sessions"}).status, 401);
  EXPECT_EQ(call(client, {.target = "/api/sessions", .headers = bearer(secret)}).status, 200);
}

// Even if somebody has opened its file to others.
TEST_F(R_AUTH_1, AnotherUserIsNobodyOverTheUnixSocket) {
  if (getuid() != 0) GTEST_SKIP() << "only root can become another user";
  ServerProcess server({}, data_.path());
  std::filesystem::permissions(data_.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(server.socket(), std::filesystem::perms(0666));
  constexpr uid_t kNobody = 65534;
  EXPECT_EQ(status_for_user(kNobody, server.socket(), "/health"), 2);
  for (const std::string path : {"/api/sessions", "/api/events", "/mcp", "/metrics"})
    EXPECT_EQ(status_for_user(kNobody, server.socket(), path), 4) << path;
  EXPECT_EQ(status_for_user(0, server.socket(), "/api/sessions"), 2);
}

TEST_F(R_AUTH_1, ARequestThroughAProxyNeedsACredential) {
  const std::string secret = create("ci");
  ServerProcess server({"--public-url", "https://oriel.example.org"}, data_.path());
  EXPECT_EQ(get(server, "/api/sessions").status, 200);
  EXPECT_TRUE(is_refused(server, {{"X-Forwarded-For", "192.0.2.1"}}));
  EXPECT_TRUE(is_refused(server, {{"Forwarded", "for=192.0.2.1"}}));
  EXPECT_TRUE(is_refused(server, {{"Via", "1.1 proxy"}}));
  EXPECT_EQ(call(server, {.target = "/api/sessions", .host = "oriel.example.org"}).status, 401);
  Headers headers = bearer(secret);
  headers.emplace_back("X-Forwarded-For", "192.0.2.1");
  EXPECT_EQ(get(server, "/api/sessions", headers).status, 200);
}

TEST_F(R_AUTH_1, WithoutLocalTrustEveryRequestNeedsACredential) {
  const std::string secret = create("ci", {"--scopes", "read,publish,admin"});
  ServerProcess server = strict_server();
  EXPECT_EQ(get(server, "/health").status, 200);
  for (const std::string path : {"/api/events", "/api/events/stream", "/api/clients", "/metrics"}) {
    const HttpResponse response = get(server, path);
    EXPECT_EQ(response.status, 401) << path;
    EXPECT_THAT(response.header("www-authenticate"), StartsWith("Bearer"));
    EXPECT_EQ(response.error_code(), "unauthorized");
  }
  EXPECT_EQ(publish(server, {}).status, 401);
  EXPECT_EQ(get(server, "/api/clients", bearer(secret)).status, 200);
  EXPECT_EQ(get(server, "/metrics", bearer(secret)).status, 200);
  EXPECT_EQ(publish(server, bearer(secret)).status, 201);
}

// Clients that try OAuth after a 401 find out what Oriel wants instead.
TEST_F(R_AUTH_1, AClientThatTriesOAuthIsToldToSendAToken) {
  create("ci");
  ServerProcess server = strict_server({"--public-url", "https://oriel.example"});
  const std::string path = "/.well-known/oauth-protected-resource";
  const HttpResponse whole = get(server, path);
  EXPECT_EQ(whole.status, 200);
  const json::object metadata = json::parse(whole.body).as_object();
  EXPECT_EQ(metadata.at("resource"), "http://localhost");
  EXPECT_THAT(whole.body, HasSubstr(R"("bearer_methods_supported":["header"])"));
  EXPECT_THAT(whole.body, HasSubstr(R"("scopes_supported":["read",)"));
  EXPECT_FALSE(metadata.contains("authorization_servers"));
  EXPECT_THAT(get(server, path + "/mcp").body, HasSubstr(R"("resource":"http://localhost/mcp")"));
  EXPECT_THAT(call(server, {.target = path + "/mcp", .host = "oriel.example"}).body,
              HasSubstr(R"("resource":"https://oriel.example/mcp")"));
  EXPECT_EQ(call(server, {.target = path, .host = "other.example"}).status, 403);
  const HttpRequest registration{.method = "POST",
                                 .target = "/register",
                                 .headers = {{"Content-Type", "application/json"}},
                                 .body = "{}"};
  const HttpResponse refused = call(server, registration);
  EXPECT_EQ(refused.status, 400);
  const json::object error = json::parse(refused.body).as_object();
  EXPECT_EQ(error.at("error"), "invalid_request");
  EXPECT_THAT(std::string(error.at("error_description").as_string()),
              HasSubstr("`oriel token create NAME`"));
  HttpRequest foreign = registration;
  foreign.headers.emplace_back("Origin", "https://other.example");
  EXPECT_EQ(call(server, foreign).status, 403);
}

TEST_F(R_AUTH_3, AnExpiredTokenLosesItsAccess) {
  const std::string secret = create("ci", {"--expires", "1s"});
  ServerProcess server({}, data_.path());
  EXPECT_TRUE(eventually([&] { return is_refused(server, bearer(secret)); }));
}

// One byte of a large body has been sent: the answer does not wait for the rest.
TEST(R_AUTH_5, ACredentialIsCheckedBeforeTheBodyIsRead) {
  ServerProcess server({"--local-trust", "none"});
  for (const std::string target : {"/api/events", "/api/sessions", "/api/turns", "/mcp"}) {
    RawClient client(server.port());
    client.send("POST " + target +
                " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                "Content-Length: 100000\r\n\r\n{");
    EXPECT_EQ(read_response(client).status, 401) << target;
  }
}

TEST(R_AUTH_5, ABodyToAnUnknownPathIsNotRead) {
  ServerProcess server({"--local-trust", "none"});
  for (const std::string request : {"POST /nope", "GET /nope", "PUT /api/sessions"}) {
    RawClient client(server.port());
    client.send(request + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1048576\r\n\r\n{");
    const int status = read_response(client).status;
    EXPECT_TRUE(status == 404 || status == 405) << request << ": " << status;
  }
}

TEST(R_AUTH_5, WithoutACredentialABodyIsShort) {
  ServerProcess server({"--local-trust", "none"});
  for (const std::string request : {"POST /api/login", "GET /", "GET /health"}) {
    RawClient client(server.port());
    client.send(request + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4097\r\n\r\n{");
    EXPECT_EQ(read_response(client).status, 413) << request;
  }
  RawClient client(server.port());
  client.send("GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(read_response(client).status, 200);
}

TEST_F(Auth, WrongTokensAreRefused) {
  const std::string secret = create("ci");
  ServerProcess server({}, data_.path());
  const std::string almost =
      secret.substr(0, secret.size() - 1) + (secret.back() == 'x' ? 'y' : 'x');
  const std::vector<std::string> values = {
      "Bearer " + almost, "Bearer " + secret + "x", "Bearer oriel_", "Bearer",
      "Bearer ",          "Basic " + secret,        secret,          ""};
  for (const std::string& value : values) {
    EXPECT_EQ(get(server, "/api/sessions", {{"Authorization", value}}).status, 401) << value;
  }
}

TEST_F(Auth, ATokenInTheQueryIsNoCredential) {
  const std::string secret = create("ci");
  ServerProcess server = strict_server();
  EXPECT_EQ(get(server, "/api/events?access_token=" + secret).status, 401);
}

TEST_F(R_AUTH_3, ATokenThatMayReadCannotPublish) {
  const std::string reader = create("reader", {"--scopes", "read"});
  ServerProcess server({}, data_.path());
  SseClient client(server, SseRequest{.target = "/api/events", .headers = bearer(reader)});
  EXPECT_EQ(client.hello().event, "hello");
  const HttpResponse refused = publish(server, bearer(reader));
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.error_code(), "missing_scope");
  EXPECT_THAT(refused.error(), HasSubstr("publish"));
}

TEST_F(R_AUTH_2, RevokedTokenLosesItsStream) {
  create("other");
  const std::string secret = create("ci");
  ServerProcess server({}, data_.path());
  SseClient client(server, SseRequest{.target = "/api/events", .headers = bearer(secret)});
  client.hello();
  EXPECT_EQ(token({"revoke", "ci"}).exit_code, 0);
  client.frames_to_end(Milliseconds{5000});
  EXPECT_TRUE(eventually([&] { return is_refused(server, bearer(secret)); }));
  EXPECT_EQ(active_streams(server), 0);
}

TEST_F(Auth, ListNamesTokensAndRevokeForgetsThem) {
  const std::string secret = create("ci");
  create("reader", {"--scopes", "read"});
  const Finished list = token({"list"});
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_THAT(list.out, HasSubstr("ci"));
  EXPECT_THAT(list.out, HasSubstr("reader"));
  EXPECT_THAT(list.out, Not(HasSubstr(secret.substr(6))));
  EXPECT_EQ(token({"revoke", "reader"}).exit_code, 0);
  EXPECT_THAT(token({"list"}).out, Not(HasSubstr("reader")));
  const Finished again = token({"revoke", "reader"});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.err, HasSubstr("reader"));
}

TEST_F(Auth, OnlyTheHashIsKept) {
  const std::string secret = create("ci");
  const std::string kept = read_file(token_file());
  EXPECT_THAT(kept, HasSubstr("ci"));
  EXPECT_THAT(kept, Not(HasSubstr(secret.substr(6))));
  const auto mode = std::filesystem::status(token_file()).permissions();
  EXPECT_EQ(mode, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(R_AUTH_2, WithoutATokenAPublicUrlStopsTheStart) {
  const Finished refused =
      run_oriel({"serve", "--listen", "127.0.0.1:0", "--public-url", "https://oriel.example.org",
                 "--data-dir", data_.path().string()});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("oriel token create"));
}

TEST_F(R_AUTH_6, RefusedCommandsAndChangesOfTokensAreInTheAudit) {
  const std::string secret = create("reader", {"--scopes", "read"});
  ServerProcess server({}, data_.path());
  Headers headers = bearer(secret);
  headers.emplace_back("Content-Type", "application/json");
  const HttpResponse refused =
      call(server, {.method = "POST", .target = "/api/sessions", .headers = headers, .body = "{}"});
  EXPECT_EQ(refused.status, 403);
  create("ci");
  EXPECT_EQ(token({"revoke", "reader"}).exit_code, 0);
  const auto audit = [&] { return run_oriel({"audit", "--url", server.url()}).out; };
  EXPECT_TRUE(eventually([&] { return audit().find("token_revoke reader") != std::string::npos; }));
  EXPECT_THAT(audit(), HasSubstr("by reader from 127.0.0.1  refused: missing_scope"));
  EXPECT_THAT(audit(), HasSubstr("token_create ci"));
}

TEST_F(R_AUTH_2, AnExpiredTokenDoesNotOpenTheServerToOthers) {
  create("ci", {"--expires", "1h"});
  std::string tokens = read_file(token_file());
  const std::string key = R"("expires":")";
  tokens.replace(tokens.find(key) + key.size(), 4, "2001");
  std::ofstream(token_file()) << tokens;
  for (const auto& [flag, value] :
       {std::pair("--listen", "0.0.0.0:0"), {"--public-url", "https://oriel.example.org"}}) {
    const Finished refused = run_oriel({"serve", flag, value, "--data-dir", data_.path().string()});
    EXPECT_EQ(refused.exit_code, 2) << flag;
    EXPECT_THAT(refused.err, HasSubstr("oriel token create")) << flag;
  }
}

TEST_F(R_AUTH_2, ATokenFileThatOthersCanWriteStopsTheStart) {
  create("ci");
  std::filesystem::permissions(token_file(), std::filesystem::perms(0666));
  const Finished refused =
      run_oriel({"serve", "--listen", "127.0.0.1:0", "--data-dir", data_.path().string()});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("can be changed by other users"));
}

TEST_F(R_AUTH_2, WithoutATokenOnlyLoopbackMayBeListenedOn) {
  for (const std::string listen : {"0.0.0.0:0", "[::]:0"}) {
    const Finished refused =
        run_oriel({"serve", "--listen", listen, "--data-dir", data_.path().string()});
    EXPECT_EQ(refused.exit_code, 2) << listen;
    EXPECT_THAT(refused.err, HasSubstr("oriel token create")) << listen;
    EXPECT_EQ(refused.out, "") << listen;
  }
}

TEST_F(R_AUTH_2, RevokingTheLastTokenOpensNothing) {
  const std::string secret = create("ci");
  ServerProcess server = strict_server({"--listen", "0.0.0.0:0"});
  EXPECT_EQ(get(server, "/api/sessions", bearer(secret)).status, 200);
  SseClient client(server, SseRequest{.target = "/api/events", .headers = bearer(secret)});
  client.hello();
  EXPECT_EQ(token({"revoke", "ci"}).exit_code, 0);
  client.frames_to_end(Milliseconds{5000});
  EXPECT_TRUE(is_refused(server, {}));
  EXPECT_TRUE(is_refused(server, bearer(secret)));
}

TEST_F(Auth, BrokenTokenFileStopsTheStart) {
  write_file(token_file(), "{");
  const Finished refused =
      run_oriel({"serve", "--listen", "127.0.0.1:0", "--data-dir", data_.path().string()});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("tokens.json"));
}

TEST_F(R_AUTH_2, ABrokenOrLostTokenFileClosesTheServer) {
  const std::string secret = create("ci");
  ServerProcess server = strict_server();
  const std::string good = read_file(token_file());
  write_file(token_file(), "{");
  EXPECT_TRUE(eventually([&] { return is_refused(server, bearer(secret)); }));
  EXPECT_TRUE(is_refused(server, {}));
  EXPECT_TRUE(server.has_logged("tokens.json"));
  write_file(token_file(), good);
  EXPECT_TRUE(eventually([&] { return !is_refused(server, bearer(secret)); }));
  std::filesystem::remove(token_file());
  EXPECT_TRUE(eventually([&] { return is_refused(server, bearer(secret)); }));
  EXPECT_TRUE(is_refused(server, {}));
}

TEST_F(Auth, CommandsSendTheirToken) {
  const std::string secret = create("ci");
  ServerProcess server = strict_server();
  const Finished refused = run_oriel({"publish", "n", "--url", server.url()});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("token"));
  EXPECT_EQ(run_oriel({"publish", "n", "--url", server.url(), "--token", secret}).exit_code, 0);
  Command watch =
      oriel_command({"watch", "--url", server.url(), "--since", "start", "--count", "1"});
  watch.environment = {{"ORIEL_TOKEN", secret}};
  const Finished watched = run(watch);
  EXPECT_EQ(watched.exit_code, 0) << watched.err;
  EXPECT_THAT(watched.out, HasSubstr("\"event\":\"n\""));
}

int mcp_sessions(const ServerProcess& server) {
  const Metrics metrics = parse_prometheus(get(server, "/metrics").body);
  return static_cast<int>(metrics.at("oriel_mcp_sessions").samples.at(""));
}

TEST_F(R_AUTH_2, ARevokedTokenLosesItsMcpSessionAndStream) {
  const std::string secret = create("ci");
  ServerProcess server({}, data_.path());
  McpClient client(server, {.headers = bearer(secret)});
  client.tool("session_list", {});
  EXPECT_EQ(mcp_sessions(server), 1);
  EXPECT_EQ(token({"revoke", "ci"}).exit_code, 0);
  EXPECT_TRUE(eventually([&] { return mcp_sessions(server) == 0; }));
}

TEST_F(R_AUTH_2, ARevokedTokenLosesItsWaitingRequest) {
  const std::string secret = create("ci");
  ServerProcess server({"--agent", "demo=" + demo_agent_program()}, data_.path());
  const HttpResponse made = call(server, {.method = "POST",
                                          .target = "/api/sessions",
                                          .headers = {{"Content-Type", "application/json"}},
                                          .body = "{}"});
  const std::string id(made.json().at("session").at("session_id").as_string());
  const std::string events = "/api/sessions/" + id + "/events";
  const std::int64_t last = get(server, events).json().at("last_index").to_number<std::int64_t>();
  RawClient client(server.port());
  const std::string target = events + "?wait_ms=60000&since_index=" + std::to_string(last);
  client.send(HttpRequest{.target = target, .headers = bearer(secret)}.bytes());
  EXPECT_EQ(token({"revoke", "ci"}).exit_code, 0);
  EXPECT_EQ(read_response(client).status, 401) << "long before its wait is over";
}

// Over every way in: a session of another project is unknown, its events do not arrive.
TEST_F(R_AUTH_3, ATokenLimitedToAProjectSeesAndTouchesOnlyIt) {
  const std::string secret = create("web", {"--projects", "web"});
  ServerProcess server({"--agent", "demo=" + demo_agent_program()}, data_.path());
  const auto start = [&](const std::string& project) {
    const HttpResponse made = call(server, {.method = "POST",
                                            .target = "/api/sessions",
                                            .headers = {{"Content-Type", "application/json"}},
                                            .body = R"({"project_id":")" + project + R"("})"});
    EXPECT_EQ(made.status, 201);
    return std::string(made.json().at("session").at("session_id").as_string());
  };
  const std::string own = start("web");
  const std::string other = start("api");
  const auto status = [&](const std::string& method, const std::string& target) {
    Headers headers = bearer(secret);
    headers.emplace_back("Content-Type", "application/json");
    return call(server, {.method = method,
                         .target = target,
                         .headers = std::move(headers),
                         .body = method == "POST" ? R"({"message":"hi"})" : ""})
        .status;
  };
  for (const std::string path : {"", "/events", "/turns", "/tasks"}) {
    EXPECT_EQ(status("GET", "/api/sessions/" + own + path), 200) << path;
    EXPECT_EQ(status("GET", "/api/sessions/" + other + path), 404) << path;
  }
  EXPECT_EQ(status("POST", "/api/sessions/" + other + "/messages"), 404);
  EXPECT_EQ(get(server, "/api/sessions", bearer(secret)).json().at("count"), 1);

  SseClient client(server, SseRequest{.target = "/api/events", .headers = bearer(secret)});
  client.hello();
  Publisher publisher(server);
  publisher.publish(R"({"type":"n","project_id":"api"})");
  publisher.publish(R"({"type":"n"})");
  publisher.publish(R"({"type":"n","project_id":"web"})");
  EXPECT_EQ(client.next_event().json().at("project_id"), "web");

  McpClient mcp(server, {.headers = bearer(secret)});
  EXPECT_EQ(mcp.tool("session_list", {}).at("count"), 1);
  EXPECT_TRUE(mcp.tool_result("session_get", {{"session_id", other}}).at("isError").as_bool());
}

TEST_F(R_AUTH_1, ALoginLinkLogsABrowserInOnce) {
  const std::string admin = create("admin", {"--scopes", "admin"});
  ServerProcess server = strict_server();
  const Finished made =
      run_oriel({"login-link", "--url", server.url(), "--token", admin, "--scopes", "admin"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const std::string code = made.out.substr(made.out.find("#login=") + 7, 43);
  const auto log_in = [&] {
    return call(server, {.method = "POST",
                         .target = "/api/login",
                         .headers = {{"Content-Type", "application/json"}},
                         .body = R"({"code":")" + code + R"("})"});
  };
  const HttpResponse first = log_in();
  ASSERT_EQ(first.status, 200);
  const std::string cookie =
      first.header("set-cookie").substr(0, first.header("set-cookie").find(';'));
  EXPECT_EQ(get(server, "/api/clients", {{"Cookie", cookie}}).status, 200);
  EXPECT_EQ(log_in().status, 401);
  EXPECT_THAT(token({"list"}).out, HasSubstr("browser"));
}

TEST_F(R_AUTH_1, ATicketOpensAStreamOnce) {
  const std::string secret = create("ci");
  ServerProcess server = strict_server();
  Headers headers = bearer(secret);
  const HttpResponse made =
      call(server, {.method = "POST", .target = "/api/tickets", .headers = headers});
  ASSERT_EQ(made.status, 201);
  const std::string target =
      "/api/events?ticket=" + std::string(made.json().at("ticket").as_string());
  SseClient client(server, target);
  EXPECT_EQ(client.hello().event, "hello");
  EXPECT_EQ(get(server, target).status, 401);
}

TEST_F(R_AUTH_6, TheAuditSaysWhoDidWhatAndIsForAdministratorsOnly) {
  const std::string worker = create("worker");
  const std::string admin = create("admin", {"--scopes", "admin"});
  ServerProcess server = strict_server();
  Headers headers = bearer(worker);
  headers.emplace_back("Content-Type", "application/json");
  const HttpResponse started =
      call(server, {.method = "POST", .target = "/api/sessions", .headers = headers, .body = "{}"});
  ASSERT_EQ(started.status, 201);
  const boost::json::value session = started.json().at("session");
  EXPECT_EQ(session.at("owner"), "worker");
  EXPECT_EQ(get(server, "/api/audit", bearer(worker)).status, 403);
  EXPECT_EQ(get(server, "/api/audit").status, 401);
  const Finished shown = run_oriel({"audit", "--url", server.url(), "--token", admin});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("start    " + std::string(session.at("session_id").as_string()) +
                                   " by worker from 127.0.0.1"));
  SseClient client(server, SseRequest{.target = "/api/events?last_event_id=0", .headers = headers});
  client.hello();
  EXPECT_EQ(client.next_event().event, "session_created");
  server.kill();
  const ServerProcess again = strict_server();
  const Finished kept = run_oriel({"audit", "--url", again.url(), "--token", admin});
  EXPECT_EQ(kept.out, shown.out);
}

TEST_F(R_AUTH_6, WrongCredentialsAreSlowedDown) {
  const std::string secret = create("ci");
  ServerProcess server({}, data_.path());
  for (int i = 0; i < 10; ++i)
    EXPECT_TRUE(is_refused(server, bearer("oriel_wrong")));
  const HttpResponse slowed = get(server, "/api/sessions", bearer("oriel_wrong"));
  EXPECT_EQ(slowed.status, 429);
  EXPECT_NE(slowed.header("retry-after"), "");
  EXPECT_EQ(get(server, "/api/sessions").status, 200);
  EXPECT_EQ(get(server, "/api/sessions", bearer(secret)).status, 200) << "it is valid";
  const Metrics metrics = parse_prometheus(get(server, "/metrics").body);
  const auto& refusals = metrics.at("oriel_auth_refusals_total").samples;
  EXPECT_EQ(refusals.at("{reason=\"wrong_token\"}"), 10);
  EXPECT_EQ(refusals.at("{reason=\"slowed\"}"), 1);
}

}  // namespace
}  // namespace oriel
