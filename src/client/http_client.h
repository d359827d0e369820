#pragma once
// A small HTTP/1.1 client for the command line: one request per connection, with a whole or
// streamed response. https:// verifies the server's certificate against the system's authorities,
// or those in SSL_CERT_FILE.

#include "base/error.h"
#include "http/url.h"
#include "runtime/asio.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oriel {

struct HttpRequest {
  std::string method = "GET";
  http::Url server;
  std::string target;  // after the server's path: "/api/events?types=a"
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = {};
};

struct HttpResponse {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  std::string body;

  // The first header of that name (in lower case), or none.
  std::optional<std::string_view> header(std::string_view name) const;
};

struct HttpDeadlines {
  std::chrono::milliseconds connect{10'000};   // name resolution, connection and TLS together
  std::chrono::milliseconds response{30'000};  // until the end of the response head
};

constexpr std::size_t kMaxResponseBytes = 4 << 20;

// Errors are kConnectFailed, kTlsUntrusted (a retry is of no use), kTimedOut, kConnectionLost and
// kBadAnswer, with short messages such as "connection refused".

// One connection with one request. Used on one thread, one call at a time.
class HttpStream {
 public:
  HttpStream();
  ~HttpStream();
  HttpStream(const HttpStream&) = delete;
  HttpStream& operator=(const HttpStream&) = delete;

  // Sends the request and returns the head of the response. Call it once.
  asio::awaitable<Result<HttpResponse>> open(HttpRequest request, HttpDeadlines deadlines);

  // The next bytes of the body; empty at its end. kTimedOut if none arrive within `limit`.
  asio::awaitable<Result<std::string>> read(std::chrono::milliseconds limit);

  // Closes the connection: a pending call fails with kConnectionLost. Does not interrupt name
  // resolution in open().
  void close();

  // The rest of the body, up to `max_bytes`.
  asio::awaitable<Result<std::string>> read_rest(std::chrono::milliseconds limit,
                                                 std::size_t max_bytes = kMaxResponseBytes);

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

// The whole response, of any status.
asio::awaitable<Result<HttpResponse>> fetch(HttpRequest request, HttpDeadlines deadlines,
                                            std::size_t max_bytes = kMaxResponseBytes);

}  // namespace oriel
