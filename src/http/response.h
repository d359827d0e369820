#pragma once
// What a handler answers: a whole response, or the start of a stream that takes the connection
// over.

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

// A body that is read while it is sent. `next` is called on the connection's shard until it has
// given `size` bytes; it gives at least one each time, or throws: then the connection ends.
struct BodySource {
  std::uint64_t size = 0;
  std::function<asio::awaitable<std::string>()> next;
};

struct Response {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  SharedBytes body;   // none: no body
  BodySource source;  // set in its place

  // Set for a stream: called on the connection's shard with the connection, instead of sending
  // body. It is given the serialized head of the response, which must leave first.
  std::function<void(std::unique_ptr<Transport> connection, std::string head)> take_over;
};

Response text_response(int status, std::string content_type, std::string body);
Response json_response(int status, const boost::json::value& body);

// {"error":{"code","message","hint"}}
Response error_response(int status, const Error& error);

// "HTTP/1.1 200 OK\r\n...\r\n\r\n" with Date and Server. `body_bytes` gives Content-Length; none
// for a stream.
std::string serialize_head(const Response& response, std::optional<std::uint64_t> body_bytes,
                           bool keep_alive);

}  // namespace oriel::http
