#pragma once
// How the client commands reach a server, and what its refusals say.

#include "client/http_client.h"

#include <string>

namespace oriel {

struct ServerAccess {
  http::Url url;
  std::string token;  // empty: none is sent
};

HttpRequest make_request(const ServerAccess& access, std::string method, std::string target);

// What an answer that is not a success says, for a person: the server's own code, message and
// hint when it sent them.
Error refusal_of(const HttpAnswer& answer);

// What a failure to get any answer says, for a person: with the server's address, and what to do.
Error away_error(const ServerAccess& access, Error error);

// The whole answer, for commands that do one thing after the other. Blocks.
Result<HttpAnswer> fetch_now(HttpRequest request, HttpDeadlines deadlines = {});

}  // namespace oriel
