#pragma once
// Access to a server for commands, and its errors.

#include "client/http_client.h"

#include <string>

namespace oriel {

struct ServerAccess {
  http::Url url;
  std::string token;  // empty: none
};

// Whether the URL names this machine.
bool is_local(const http::Url& url);

HttpRequest make_request(const ServerAccess& access, std::string method, std::string target);

// The error of an unsuccessful response: the server's own kind, message and hint if it sent them.
Error response_error(const HttpResponse& response);

// The error of a server that cannot be reached, with its address and a hint.
Error unreachable_error(const ServerAccess& access, Error error);

// The whole response. Blocks.
Result<HttpResponse> fetch_now(HttpRequest request, HttpDeadlines deadlines = {});

}  // namespace oriel
