#include "server/start_gate.h"

#include "api/error_response.h"
#include "http/router.h"

#include <algorithm>
#include <array>

namespace oriel {
namespace {

constexpr std::chrono::seconds kLookAgain{1};

bool tells_the_state(const http::Route* route) {
  return route != nullptr && (route->pattern == "/health" || route->pattern == "/ready");
}

bool only_reads(const http::Route* route, const http::Request& request) {
  constexpr std::array kReading{"GET", "HEAD", "OPTIONS"};
  return std::find(kReading.begin(), kReading.end(), request.method) != kReading.end() ||
         (route != nullptr && route->pattern == "/mcp");
}

}  // namespace

bool StartGate::admits(const http::Route* route, const http::Request& request) const {
  switch (opening_.load(std::memory_order_acquire)) {
    case Opening::kNone:
      return tells_the_state(route);
    case Opening::kReaders:
      return only_reads(route, request);
    case Opening::kAll:
      break;
  }
  return true;
}

http::Response starting_response(const std::string& reason) {
  const Error starting{.kind = ErrorKind::kStarting,
                       .message = "this node is starting: " + reason,
                       .hint = "retry after a second, or ask another node"};
  return error_response(starting, kLookAgain);
}

std::optional<http::Response> StartGate::check(const http::Route* route,
                                               http::Request& request) const {
  if (!admits(route, request)) return starting_response(reason_());
  auto refused = access_.check(route, request);
  if (refused || opening_.load(std::memory_order_acquire) == Opening::kAll) return refused;
  if (request.principal.credential_id.empty()) return std::nullopt;
  return starting_response("it cannot tell yet whether the token was revoked; " + reason_());
}

}  // namespace oriel
