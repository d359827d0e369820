#pragma once
// One request and its answer, read strictly: an answer that does not say where it ends is taken
// until it closes.

#include "connection.h"
#include "server_process.h"

#include <boost/json/value.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oriel {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
  std::string method = "GET";
  std::string target = "/";
  Headers headers = {};
  std::string body = {};
  std::string host = "localhost";

  // As sent; with Host, and Content-Length if there is a body.
  std::string bytes() const;
};

struct HttpResponse {
  std::string head;  // with the empty line
  int status = 0;
  Headers headers;  // names in lower case
  std::string body;

  // The only header of that name (in lower case); empty if there is none.
  std::string header(std::string_view name) const;

  boost::json::object json() const;

  // "code: message" of an error's body.
  std::string error() const;
  std::string error_code() const;
};

enum class ExpectBody { kYes, kNo };  // no: the answer to HEAD

HttpResponse parse_head(std::string head);
HttpResponse read_response(Connection& connection, ExpectBody body = ExpectBody::kYes);
HttpResponse call(Connection& connection, const HttpRequest& request);
HttpResponse call(const ServerProcess& server, const HttpRequest& request);
HttpResponse get(const ServerProcess& server, std::string target, Headers headers = {});
HttpResponse post_event(const ServerProcess& server, std::string body,
                        std::string content_type = "application/json");

// From /health: how many streams there are now.
std::int64_t active_streams(const ServerProcess& server);

}  // namespace oriel
