#pragma once
// What a handler returns: a complete response, or a stream that takes over the connection.

#include "base/bytes.h"
#include "base/error.h"
#include "runtime/asio.h"

#include <boost/json/value.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oriel::http {

class Transport;

// A body produced while it is sent. `next` runs on the connection's shard until it has returned
// `size` bytes; it returns at least one byte per call, or throws, which closes the connection.
struct BodySource {
  std::uint64_t size = 0;
  std::function<asio::awaitable<std::string>()> next;
};

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Response {
  int status = 200;
  Headers headers;
  SharedBytes body;   // null: no body
  BodySource source;  // used instead of body when set

  // Set for a stream: called on the connection's shard with the connection and the serialized
  // response head, which must be sent first.
  std::function<void(std::unique_ptr<Transport> connection, std::string head)> take_over;
};

Response text_response(int status, std::string content_type, std::string body);
Response json_response(int status, const boost::json::value& body);

// {"error":{"code","message","hint"}} with the status of its kind (http/error_status.h)
Response error_response(const Error& error);

// 400 with ErrorKind::kBadRequest.
Response bad_request(std::string message, std::string hint);

// Content-Disposition of a download with this file name, which may have any characters.
std::string attachment(std::string_view file_name);

// "HTTP/1.1 200 OK\r\n...\r\n\r\n" with Date, Server and headers that isolate the response from
// other sites; a Content-Security-Policy of its own must name frame-ancestors. `body_bytes` is the
// Content-Length; none for a stream.
std::string serialize_head(const Response& response, std::optional<std::uint64_t> body_bytes,
                           bool keep_alive);

}  // namespace oriel::http
