#pragma once
// How the client commands reach a server, and what its refusals say.

#include "http/http_client.h"

#include <string>

namespace oriel {

struct ServerAccess {
  HttpUrl url;
  std::string token;  // empty: none is sent
};

HttpRequest make_request(const ServerAccess& access, std::string method, std::string target);

// What an answer that is not a success says, for a person: the server's own message and hint when
// it sent them.
Error refusal_of(const HttpAnswer& answer);

}  // namespace oriel
