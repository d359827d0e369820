#pragma once
// A small HTTP/1.1 client for the command line: one request and its answer, or an answer whose body
// goes on and on. https:// verifies the server's certificate and name against the system's
// authorities (SSL_CERT_FILE names others).

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

struct HttpAnswer {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  std::string body;

  // The first header of that name (in lower case), or none.
  std::optional<std::string_view> header(std::string_view name) const;
};

struct HttpDeadlines {
  std::chrono::milliseconds connect{10'000};  // name, connection and TLS together
  std::chrono::milliseconds answer{
      30'000};  // from the request's first byte to the end of the answer's head
};

constexpr std::size_t kMaxAnswerBytes = 4 << 20;

// Codes of the errors below: "connect_failed", "tls_untrusted" (the server's certificate: trying
// again is of no use), "timed_out", "connection_lost", "bad_answer". Their messages are short, as
// "connection refused".

// One connection, one request. Used on one thread; a call at a time.
class HttpStream {
 public:
  HttpStream();
  ~HttpStream();
  HttpStream(const HttpStream&) = delete;
  HttpStream& operator=(const HttpStream&) = delete;

  // Sends the request and returns the answer's head, its body still empty. Once.
  asio::awaitable<Result<HttpAnswer>> open(HttpRequest request, HttpDeadlines deadlines);

  // The next bytes of the body, as they come; empty at its end. "timed_out" when none comes for
  // `limit`.
  asio::awaitable<Result<std::string>> read(std::chrono::milliseconds limit);

  // Closes the connection: the call under way, if there is one, fails with "connection_lost". An
  // open() that still looks up the server's name goes on.
  void close();

  // What is left of the body, which may have so many bytes.
  asio::awaitable<Result<std::string>> read_rest(std::chrono::milliseconds limit,
                                                 std::size_t max_bytes = kMaxAnswerBytes);

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

// The whole answer, whatever its status.
asio::awaitable<Result<HttpAnswer>> fetch(HttpRequest request, HttpDeadlines deadlines,
                                          std::size_t max_bytes = kMaxAnswerBytes);

}  // namespace oriel
