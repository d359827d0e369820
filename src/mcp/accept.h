#pragma once
// Content negotiation by the Accept header. Pure.

#include "http/request.h"

#include <string_view>

namespace oriel::mcp {

// True if the Accept headers allow this type ("application/json") by name or wildcard. The most
// specific range decides; q=0 excludes. A request without Accept allows everything.
bool accepts(const http::Request& http, std::string_view type);

}  // namespace oriel::mcp
