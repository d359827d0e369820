#pragma once
// Checks of a 2026-07-28 request before a method runs, in the order of the specification: _meta,
// version, headers against body. Pure.

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

// All versions, newest first, for server/discover and version errors.
boost::json::array supported_versions();

// The client as described in `params._meta`.
struct RequestMeta {
  std::string version;
  boost::json::object client_info;  // may be empty
  boost::json::object client_capabilities;
  std::optional<LogLevel> log_level;
};

// True if _meta names a version, or the header names 2026-07-28 or later. All other requests belong
// to a session.
bool is_stateless(const http::Request& http, const boost::json::object& params);

// The version in `params._meta`.
std::optional<std::string> named_version(const boost::json::object& params);

// The body field that the Mcp-Name header repeats; none for methods without one.
std::optional<std::string> named_thing(std::string_view method, const boost::json::object& params);

// Checks _meta (kInvalidParams), the version header against it (kHeaderMismatch), that the version
// is stateless (kUnsupportedVersion with data.supported and data.requested), Mcp-Method and
// Mcp-Name (kHeaderMismatch).
boost::system::result<RequestMeta, Refusal> check_request(const http::Request& http,
                                                          const std::string& method,
                                                          const boost::json::object& params);

// The same for a notification, where _meta and headers are optional but must be consistent.
std::optional<Refusal> check_notification(const http::Request& http, const std::string& method,
                                          const boost::json::object& params);

}  // namespace oriel::mcp
