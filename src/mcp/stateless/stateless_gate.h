#pragma once
// What must hold of a request of 2026-07-28 before any method sees it, in the order that the
// specification gives: its _meta, its version, its headers against its body. Pure.

#include "http/request.h"
#include "mcp/log_level.h"
#include "mcp/refusal.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/system/result.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace oriel::mcp {

constexpr std::string_view kStatelessVersion = "2026-07-28";
constexpr std::array<std::string_view, 3> kSessionVersions = {"2025-11-25", "2025-06-18",
                                                              "2025-03-26"};  // newest first

// All of them, newest first: what server/discover lists, and a refused version is answered with.
boost::json::array supported_versions();

// What `params._meta` tells of the client.
struct RequestMeta {
  std::string version;
  boost::json::object client_info;  // empty: it did not say
  boost::json::object client_capabilities;
  std::optional<LogLevel> log_level;
};

// True if it must be judged by the rules below: it names a version in _meta, or one of 2026-07-28
// or later in its header. Everything else is of the era of sessions.
bool is_stateless(const http::Request& http, const boost::json::object& params);

// The version that `params._meta` names; none if it names none.
std::optional<std::string> named_version(const boost::json::object& params);

// What the header Mcp-Name of such a request repeats; none if its method has nothing to.
std::optional<std::string> named_thing(std::string_view method, const boost::json::object& params);

// _meta (kInvalidParams), the version header against it (kHeaderMismatch), whether the version is
// one without sessions (kUnsupportedVersion with data.supported and data.requested), Mcp-Method and
// Mcp-Name (kHeaderMismatch).
boost::system::result<RequestMeta, Refusal> check_request(const http::Request& http,
                                                          const std::string& method,
                                                          const boost::json::object& params);

// The same for a notification, of which the specification demands neither _meta nor headers: what
// is missing is not missed, what is there must be right.
std::optional<Refusal> check_notification(const http::Request& http, const std::string& method,
                                          const boost::json::object& params);

}  // namespace oriel::mcp
