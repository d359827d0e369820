// Malformed requests get the right 4xx, and the server keeps running.

#include "sse_client.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

struct BadRequest {
  std::string bytes;
  int status;
};

std::string with_host(const std::string& request_line, const std::string& headers = "") {
  return request_line + "\r\nHost: localhost\r\n" + headers + "\r\n";
}

TEST(BadInput, MalformedRequestsAreRefused) {
  ServerProcess server;
  const std::string post = "POST /api/events HTTP/1.1";
  const std::string json = "Content-Type: application/json\r\n";
  const std::vector<BadRequest> requests = {
      {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello\r\n\r\n", 400},
      {std::string("\0\0\0\0\r\n\r\n", 8), 400},
      {"hello\r\n\r\n", 400},
      {"GET\r\n\r\n", 400},
      {with_host("GET  /health HTTP/1.1"), 400},
      {with_host("GET /health"), 400},
      {with_host("G@T /health HTTP/1.1"), 400},
      {with_host("GET /he alth HTTP/1.1"), 400},
      {with_host("GET health HTTP/1.1"), 400},
      {with_host("GET /%zz HTTP/1.1"), 400},
      {with_host("GET /%4 HTTP/1.1"), 400},
      {with_host("GET /%00 HTTP/1.1"), 400},
      {with_host("GET /api/events?types=%zz HTTP/1.1"), 400},
      {with_host("GET /api/events?types=%00 HTTP/1.1"), 400},
      {with_host("GET /../etc/passwd HTTP/1.1"), 400},
      {with_host("GET /%2e%2e/etc/passwd HTTP/1.1"), 400},
      {with_host("GET /health HTTP/2.0"), 505},
      {with_host("GET /health HTTP/1.1", "No colon here\r\n"), 400},
      {with_host("GET /health HTTP/1.1", "Bad name: x\r\n"), 400},
      {with_host("GET /health HTTP/1.1", ": x\r\n"), 400},
      {with_host("GET /health HTTP/1.1",
                 "X: a\x01"
                 "b\r\n"),
       400},
      {with_host(post, json + "Content-Length: x\r\n"), 400},
      {with_host(post, json + "Content-Length: -1\r\n"), 400},
      {with_host(post, json + "Content-Length: 99999999999999999999999\r\n"), 400},
      {with_host(post, json + "Content-Length: 12\r\nContent-Length: 13\r\n") + R"({"type":"n"})",
       400},
      {with_host(post, json + "Content-Length: 12\r\nTransfer-Encoding: chunked\r\n") + "0\r\n\r\n",
       400},
      {with_host(post, json + "Transfer-Encoding: chunked\r\n") + "zzz\r\n", 400},
      {with_host(post, json + "Transfer-Encoding: gzip\r\n"), 501},
  };
  for (const BadRequest& request : requests) {
    RawClient client(server.port());
    client.send(request.bytes);
    const HttpResponse response = read_response(client);
    EXPECT_EQ(response.status, request.status) << request.bytes;
    EXPECT_FALSE(response.error().empty()) << request.bytes;
    EXPECT_EQ(client.read_to_end(), "") << "must close after " << request.bytes;
  }
  EXPECT_EQ(get(server, "/health").status, 200);
}

TEST(BadInput, ClientThatGoesAwayInTheMiddleDoesNoHarm) {
  ServerProcess server;
  const std::string request = HttpRequest{.method = "POST",
                                          .target = "/api/events",
                                          .headers = {{"Content-Type", "application/json"}},
                                          .body = R"({"type":"n"})"}
                                  .bytes();
  for (std::size_t cut = 0; cut < request.size(); cut += 7) {
    RawClient client(server.port());
    client.send(std::string_view(request).substr(0, cut));
    if (cut % 2 == 0) client.reset();
  }
  EXPECT_EQ(get(server, "/health").status, 200);
  EXPECT_EQ(SseClient(server).hello().json().at("head"), 0);
}

TEST(BadInput, RefusalReachesAClientThatIsStillSending) {
  ServerProcess server({"--max-body-bytes", "1KiB"});
  RawClient client(server.port());
  try {
    client.send(
        "POST /api/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        "Content-Length: 300000\r\n\r\n" +
        std::string(300'000, 'x'));
  } catch (const Closed&) {
    // The server may close while the rest is on its way.
  }
  EXPECT_EQ(read_response(client).status, 413);
}

TEST(BadInput, UnknownClientIsNotFound) {
  ServerProcess server;
  for (const std::string id : {"x", "0000000000000000", "%20", "..%2f"}) {
    const HttpResponse response = get(server, "/api/clients/" + id);
    EXPECT_TRUE(response.status == 404 || response.status == 400) << id;
  }
}

TEST(BadInput, QueryWhereNoneIsKnownIsRefused) {
  ServerProcess server;
  for (const std::string path : {"/api/clients", "/health", "/metrics"}) {
    const HttpResponse response = get(server, path + "?state=live");
    EXPECT_EQ(response.status, 400) << path;
    EXPECT_THAT(response.error(), testing::HasSubstr("state")) << path;
  }
}

}  // namespace
}  // namespace oriel
