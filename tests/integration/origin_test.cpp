// Against DNS rebinding and foreign pages: who may call by which name.

#include "sse_client.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

int status_for_host(const ServerProcess& server, std::string host) {
  return call(server, {.target = "/api/clients", .host = std::move(host)}).status;
}

int status_for_origin(const ServerProcess& server, std::string origin,
                      std::string host = "localhost") {
  const HttpRequest request{.target = "/api/clients",
                            .headers = {{"Origin", std::move(origin)}},
                            .host = std::move(host)};
  return call(server, request).status;
}

TEST(Origin, LoopbackNamesPass) {
  ServerProcess server;
  for (const std::string host :
       {"localhost", "localhost:1", "LOCALHOST", "127.0.0.1", "127.0.0.1:7433", "127.1.2.3",
        "[::1]", "[::1]:80", "oriel.localhost"}) {
    EXPECT_EQ(status_for_host(server, host), 200) << host;
  }
  EXPECT_EQ(status_for_host(server, server.authority()), 200);
}

TEST(Origin, ForeignHostIsForbidden) {
  ServerProcess server;
  for (const std::string host :
       {"evil.example", "evil.example:7433", "localhost.evil.example", "127.0.0.1.evil.example",
        "xlocalhost", "10.0.0.1", "0.0.0.0", "[::2]"}) {
    EXPECT_EQ(status_for_host(server, host), 403) << host;
  }
  const HttpResponse response = call(server, {.target = "/api/events", .host = "evil.example"});
  EXPECT_EQ(response.status, 403);
  EXPECT_THAT(response.error(), testing::HasSubstr("evil.example"));
}

TEST(Origin, MissingOrDoubleHostIsABadRequest) {
  ServerProcess server;
  for (const std::string headers :
       {"", "Host: localhost\r\nHost: localhost\r\n", "Host:\r\n", "Host: a b\r\n"}) {
    RawClient client(server.port());
    client.send("GET /api/clients HTTP/1.1\r\n" + headers + "\r\n");
    EXPECT_EQ(read_response(client).status, 400) << headers;
  }
}

TEST(R_AUTH_5, OwnPagesPassAndThoseOfOtherPortsDoNot) {
  ServerProcess server;
  EXPECT_EQ(status_for_origin(server, "http://localhost"), 200);
  EXPECT_EQ(status_for_origin(server, server.url(), server.authority()), 200);
  for (const std::string origin :
       {"http://localhost:5173", "http://127.0.0.1", "https://localhost", "http://[::1]:80"}) {
    EXPECT_EQ(status_for_origin(server, origin), 403) << origin;
  }
}

TEST(R_AUTH_5, RequestsThatAnotherSiteCausedAreRefused) {
  ServerProcess server;
  for (const std::string site : {"cross-site", "same-site"}) {
    for (const std::string path : {"/api/events", "/api/sessions", "/mcp", "/"})
      EXPECT_EQ(get(server, path, {{"Sec-Fetch-Site", site}}).status, 403) << path;
  }
  EXPECT_EQ(get(server, "/api/sessions", {{"Sec-Fetch-Site", "same-origin"}}).status, 200);
  EXPECT_EQ(get(server, "/",
                {{"Sec-Fetch-Site", "cross-site"},
                 {"Sec-Fetch-Mode", "navigate"},
                 {"Sec-Fetch-Dest", "document"}})
                .status,
            200);
}

TEST(R_AUTH_5, AnAllowedOriginUsesTheApiWithAToken) {
  TempDir data;
  const Finished made = run_oriel({"token", "create", "app", "--data-dir", data.path().string()});
  const std::string secret = made.out.substr(0, made.out.find('\n'));
  ServerProcess server({"--allow-origin", "https://app.example"}, data.path());
  const std::string origin = "https://app.example";
  EXPECT_EQ(status_for_origin(server, origin), 401);
  const HttpResponse allowed =
      get(server, "/api/sessions", {{"Origin", origin}, {"Authorization", "Bearer " + secret}});
  EXPECT_EQ(allowed.status, 200);
  EXPECT_EQ(allowed.header("access-control-allow-origin"), origin);
  const HttpResponse preflight =
      call(server, {.method = "OPTIONS",
                    .target = "/mcp",
                    .headers = {{"Origin", origin}, {"Access-Control-Request-Method", "POST"}}});
  EXPECT_EQ(preflight.status, 204);
  EXPECT_EQ(preflight.header("access-control-allow-origin"), origin);
  EXPECT_EQ(status_for_origin(server, "https://app.example.evil"), 403);
}

TEST(Origin, ForeignPageIsForbidden) {
  ServerProcess server;
  for (const std::string origin : {"http://evil.example", "https://localhost.evil.example", "null",
                                   "file://", "garbage", "http://localhost@evil.example"}) {
    EXPECT_EQ(status_for_origin(server, origin), 403) << origin;
  }
}

TEST(Origin, ForeignPageCanNeitherPublishNorWatch) {
  ServerProcess server;
  const HttpRequest publish{
      .method = "POST",
      .target = "/api/events",
      .headers = {{"Origin", "http://evil.example"}, {"Content-Type", "application/json"}},
      .body = R"({"type":"n"})"};
  EXPECT_EQ(call(server, publish).status, 403);
  EXPECT_EQ(get(server, "/api/events", {{"Origin", "null"}}).status, 403);
  EXPECT_EQ(SseClient(server).hello().json().at("head"), 0);
  EXPECT_EQ(active_streams(server), 0);
}

TEST(Origin, PublicUrlPassesButNeedsACredential) {
  TempDir data;
  run_oriel({"token", "create", "ci", "--data-dir", data.path().string()});
  ServerProcess server({"--public-url", "https://oriel.example.org"}, data.path());
  EXPECT_EQ(status_for_host(server, "oriel.example.org"), 401);
  EXPECT_EQ(status_for_host(server, "localhost"), 200);
  EXPECT_EQ(status_for_origin(server, "https://oriel.example.org", "oriel.example.org"), 401);
  EXPECT_EQ(status_for_origin(server, "http://oriel.example.org", "oriel.example.org"), 403);
  EXPECT_EQ(status_for_origin(server, "https://other.example.org", "oriel.example.org"), 403);
  EXPECT_EQ(status_for_host(server, "other.example.org"), 403);
}

}  // namespace
}  // namespace oriel
