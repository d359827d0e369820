// HTTP itself: methods, connections, limits.

#include "publisher.h"
#include "sse_client.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kHealth = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";

const std::string kPostHead =
    "POST /api/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

TEST(Http, UnknownPathIsNotFoundAsJson) {
  ServerProcess server;
  for (const std::string path :
       {"/nope", "/api", "/api/", "/api/events/x", "/api/clients/x/y", "/health/"}) {
    const HttpResponse response = get(server, path);
    EXPECT_EQ(response.status, 404) << path;
    EXPECT_EQ(response.error_code(), "not_found") << path;
    EXPECT_THAT(response.error(), HasSubstr(path));
  }
}

TEST(Http, WrongMethodIsRefusedWithThoseAllowed) {
  ServerProcess server;
  const HttpResponse events = call(server, {.method = "DELETE", .target = "/api/events"});
  EXPECT_EQ(events.status, 405);
  EXPECT_THAT(events.header("allow"), HasSubstr("GET"));
  EXPECT_THAT(events.header("allow"), HasSubstr("POST"));
  EXPECT_EQ(events.error_code(), "method_not_allowed");
  const HttpResponse health =
      call(server, {.method = "POST", .target = "/health", .headers = {{"Content-Length", "0"}}});
  EXPECT_EQ(health.status, 405);
  EXPECT_THAT(health.header("allow"), HasSubstr("GET"));
  EXPECT_THAT(health.header("allow"), testing::Not(HasSubstr("POST")));
}

TEST(Http, HeadHasTheHeadOfGetAndNoBody) {
  ServerProcess server;
  RawClient client(server.port());
  const HttpResponse head = call(client, {.method = "HEAD", .target = "/health"});
  EXPECT_EQ(head.status, 200);
  EXPECT_GT(std::stoi(head.header("content-length")), 0);
  EXPECT_EQ(call(client, {.target = "/health"}).status, 200);
}

TEST(Http, HeadOfTheStreamTakesNoSlot) {
  ServerProcess server;
  RawClient client(server.port());
  const HttpResponse head = call(client, {.method = "HEAD", .target = "/api/events"});
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.header("content-type"), "text/event-stream");
  EXPECT_EQ(active_streams(server), 0);
}

TEST(Http, ConnectionServesManyRequests) {
  ServerProcess server;
  RawClient client(server.port());
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(call(client, {.target = "/health"}).status, 200);
    EXPECT_EQ(call(client, {.target = "/nope"}).status, 404);
  }
}

TEST(Http, PipelinedRequestsAreAnsweredInOrder) {
  ServerProcess server;
  RawClient client(server.port());
  const HttpRequest missing{.target = "/nope"};
  const HttpRequest clients{.target = "/api/clients"};
  client.send(std::string(kHealth) + missing.bytes() + clients.bytes() + std::string(kHealth));
  EXPECT_THAT(read_response(client).body, HasSubstr("uptime_s"));
  EXPECT_EQ(read_response(client).status, 404);
  EXPECT_THAT(read_response(client).body, HasSubstr("\"clients\""));
  EXPECT_THAT(read_response(client).body, HasSubstr("uptime_s"));
}

TEST(Http, RequestMayComeByteByByte) {
  ServerProcess server;
  RawClient client(server.port());
  for (const char c : kHealth)
    client.send({&c, 1});
  EXPECT_EQ(read_response(client).status, 200);
}

TEST(Http, ConnectionCloseIsHonoured) {
  ServerProcess server;
  RawClient client(server.port());
  const HttpResponse response =
      call(client, {.target = "/health", .headers = {{"Connection", "close"}}});
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.header("connection"), "close");
  EXPECT_EQ(client.read_to_end(), "");
}

TEST(Http, Http10IsAnsweredAndClosed) {
  ServerProcess server;
  RawClient client(server.port());
  client.send("GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(read_response(client).status, 200);
  EXPECT_EQ(client.read_to_end(), "");
}

TEST(Http, AbsoluteTargetIsUnderstood) {
  ServerProcess server;
  EXPECT_EQ(get(server, "http://localhost/health").status, 200);
}

TEST(Http, ChunkedBodyIsRead) {
  ServerProcess server;
  RawClient client(server.port());
  client.send(kPostHead +
              "Transfer-Encoding: chunked\r\n\r\n9\r\n{\"type\":\"\r\n3;x=y\r\nn\"}\r\n0\r\n\r\n");
  EXPECT_EQ(read_response(client).status, 201);
  client.send(kHealth);
  EXPECT_EQ(read_response(client).status, 200);
}

TEST(Http, ClientThatExpectsContinueGets100) {
  ServerProcess server;
  RawClient client(server.port());
  client.send(kPostHead + "Expect: 100-continue\r\nContent-Length: 12\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send(R"({"type":"n"})");
  EXPECT_EQ(read_response(client).status, 201);
}

TEST(HttpLimits, ClientThatAsksFirstForTooMuchIsRefusedAtOnce) {
  ServerProcess server;
  RawClient client(server.port());
  client.send(kPostHead + "Expect: 100-continue\r\nContent-Length: 100000000\r\n\r\n");
  EXPECT_EQ(read_response(client).status, 413);
}

TEST(HttpLimits, TooLargeHeadIsRefused) {
  ServerProcess server({"--max-header-bytes", "4KiB"});
  const std::string big(5000, 'x');
  const HttpResponse header = get(server, "/health", {{"X-Big", big}});
  EXPECT_EQ(header.status, 431);
  EXPECT_FALSE(header.error().empty());
  EXPECT_EQ(get(server, "/health?" + big).status, 431);
  RawClient client(server.port());
  client.send("GET /health HTTP/1.1\r\nHost: localhost\r\n");
  for (int i = 0; i < 60; ++i)
    client.send("X-" + std::to_string(i) + ": " + big.substr(0, 80) + "\r\n");
  EXPECT_EQ(read_response(client).status, 431);
}

TEST(HttpLimits, TooLargeBodyIsRefusedBeforeItIsRead) {
  ServerProcess server({"--max-body-bytes", "1KiB"});
  RawClient client(server.port());
  client.send(kPostHead + "Content-Length: 1025\r\n\r\n");
  const HttpResponse response = read_response(client);
  EXPECT_EQ(response.status, 413);
  EXPECT_FALSE(response.error().empty());
}

TEST(HttpLimits, TooLargeChunkedBodyIsRefused) {
  ServerProcess server({"--max-body-bytes", "1KiB"});
  RawClient client(server.port());
  client.send(kPostHead + "Transfer-Encoding: chunked\r\n\r\n800\r\n" + std::string(0x800, ' '));
  EXPECT_EQ(read_response(client).status, 413);
}

TEST(HttpLimits, HeadThatComesTooSlowlyIsEnded) {
  ServerProcess server({"--header-timeout", "500ms"});
  RawClient client(server.port());
  client.send("GET /health HTTP/1.1\r\nHost: lo");
  const HttpResponse response = read_response(client);
  EXPECT_EQ(response.status, 408);
  EXPECT_EQ(response.error_code(), "request_timeout");
  EXPECT_EQ(client.read_to_end(), "");
}

TEST(HttpLimits, TrickleDoesNotKeepAConnection) {
  ServerProcess server({"--header-timeout", "500ms"});
  RawClient client(server.port());
  client.send("GET /health HTTP/1.1\r\nHost: localhost\r\n");
  const Deadline deadline(kPatience);
  while (client.is_silent_for(Milliseconds{50}) && !deadline.passed())
    client.send("X: y\r\n");
  EXPECT_EQ(read_response(client).status, 408);
}

TEST(HttpLimits, BodyThatComesTooSlowlyIsEnded) {
  ServerProcess server({"--body-timeout", "500ms"});
  RawClient client(server.port());
  client.send(kPostHead + "Content-Length: 12\r\n\r\n{");
  EXPECT_EQ(read_response(client).status, 408);
  EXPECT_EQ(client.read_to_end(), "");
  EXPECT_EQ(SseClient(server).hello().json().at("head"), 0);
}

TEST(HttpLimits, SilentConnectionIsClosed) {
  ServerProcess server({"--idle-timeout", "500ms"});
  RawClient fresh(server.port());
  EXPECT_EQ(fresh.read_to_end(), "");
  RawClient used(server.port());
  used.send(kHealth);
  EXPECT_EQ(read_response(used).status, 200);
  EXPECT_EQ(used.read_to_end(), "");
}

TEST(HttpLimits, StreamIsNotAnIdleConnection) {
  ServerProcess server(
      {"--idle-timeout", "300ms", "--write-timeout", "300ms", "--header-timeout", "300ms"});
  SseClient client(server);
  EXPECT_TRUE(client.is_silent_for(Milliseconds{1500}));
}

std::vector<std::unique_ptr<RawClient>> idle_clients(const ServerProcess& server, int count) {
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < count; ++i) {
    clients.push_back(std::make_unique<RawClient>(server.port()));
    EXPECT_EQ(call(*clients.back(), {.target = "/health"}).status, 200);
  }
  return clients;
}

TEST(HttpLimits, LongestIdleConnectionIsClosedForANewOne) {
  ServerProcess server({"--max-connections", "4", "--threads", "1"});
  const auto clients = idle_clients(server, 4);
  EXPECT_EQ(call(*clients[0], {.target = "/health"}).status, 200);
  RawClient late(server.port());
  EXPECT_EQ(call(late, {.target = "/health"}).status, 200);
  EXPECT_EQ(clients[1]->read_to_end(), "") << "the others were used after it";
  for (const int i : {0, 2, 3})
    EXPECT_EQ(call(*clients[i], {.target = "/health"}).status, 200) << i;
}

TEST(HttpLimits, ConnectionWithTheOldestHalfSentHeadIsClosedForANewOne) {
  ServerProcess server({"--max-connections", "4", "--threads", "1"});
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 4; ++i) {
    clients.push_back(std::make_unique<RawClient>(server.port()));
    clients.back()->send("GET /health HTTP/1.1\r\nX-Slow: ");
  }
  for (const auto& client : clients)
    client->send("x");  // does not renew its place
  RawClient late(server.port());
  EXPECT_EQ(call(late, {.target = "/health"}).status, 200);
  clients[3]->send("\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(read_response(*clients[3]).status, 200);
}

TEST(HttpLimits, IdleConnectionsOfAllThreadsAreClosedForNewOnes) {
  ServerProcess server({"--max-connections", "4", "--threads", "3"});
  const auto clients = idle_clients(server, 20);
  EXPECT_EQ(call(*clients.back(), {.target = "/health"}).status, 200);
}

TEST(HttpLimits, WithoutAnIdleConnectionANewOneIsRefused) {
  ServerProcess server({"--max-connections", "4", "--max-sse-clients", "4"});
  std::vector<std::unique_ptr<SseClient>> watchers;
  for (int i = 0; i < 4; ++i) {
    watchers.push_back(std::make_unique<SseClient>(server));
    watchers.back()->hello();
  }
  RawClient refused(server.port());
  const HttpResponse response = read_response(refused);
  EXPECT_EQ(response.status, 503);
  EXPECT_GE(std::stoi(response.header("retry-after")), 1);
  EXPECT_FALSE(response.error().empty());
  EXPECT_EQ(refused.read_to_end(), "");
  watchers.pop_back();
  EXPECT_TRUE(eventually([&] {
    RawClient again(server.port());
    try {
      return call(again, {.target = "/health"}).status == 200;
    } catch (const Closed&) {
      return false;
    }
  }));
}

void expect_isolated(const HttpResponse& response, const char* what) {
  EXPECT_EQ(response.header("x-content-type-options"), "nosniff") << what;
  EXPECT_EQ(response.header("x-frame-options"), "DENY") << what;
  EXPECT_EQ(response.header("cross-origin-resource-policy"), "same-origin") << what;
  EXPECT_THAT(response.header("content-security-policy"), HasSubstr("frame-ancestors 'none'"))
      << what;
}

TEST(R_AUTH_5, EveryAnswerForbidsFramesAndForeignUse) {
  ServerProcess server;
  expect_isolated(get(server, "/"), "the page");
  expect_isolated(get(server, "/health"), "JSON");
  expect_isolated(get(server, "/missing"), "404");
  expect_isolated(call(server, {.method = "POST", .target = "/mcp", .body = "x"}), "MCP");
  expect_isolated(call(server, {.target = "/health", .host = "evil.example"}), "403");
  RawClient malformed(server.port());
  malformed.send("GET / HTTP/9\r\n\r\n");
  expect_isolated(read_response(malformed), "a malformed request");
  RawClient watcher(server.port());
  watcher.send(HttpRequest{.target = "/api/events"}.bytes());
  expect_isolated(parse_head(watcher.read_until("\r\n\r\n")), "a stream");
}

TEST(StaticPage, RootIsAPageWithAnEtag) {
  ServerProcess server;
  const HttpResponse page = get(server, "/");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.header("content-type"), StartsWith("text/html"));
  EXPECT_THAT(page.body, HasSubstr("<html"));
  const std::string etag = page.header("etag");
  EXPECT_THAT(etag, testing::MatchesRegex("\"[^\"]+\""));
  const HttpResponse same = get(server, "/", {{"If-None-Match", etag}});
  EXPECT_EQ(same.status, 304);
  EXPECT_EQ(same.header("etag"), etag);
  EXPECT_EQ(get(server, "/", {{"If-None-Match", "\"other\", " + etag}}).status, 304);
  EXPECT_EQ(get(server, "/", {{"If-None-Match", "\"other\""}}).status, 200);
}

}  // namespace
}  // namespace oriel
