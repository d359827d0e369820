#pragma once
// Which types of answer a client takes. Pure.

#include "http/request.h"

#include <string_view>

namespace oriel::mcp {

// True if the Accept headers take this type ("application/json"), by name or by wildcard; the most
// exact range decides, and q=0 refuses. No Accept takes everything.
bool accepts(const http::Request& http, std::string_view type);

}  // namespace oriel::mcp
