#pragma once
// What must hold of a request of 2026-07-28 before any method sees it, in the order that the
// specification gives: its _meta, its version, its headers against its body. Pure.

#include "http/request.h"
#include "mcp/catalog.h"
#include "mcp/log_level.h"
#include "mcp/rpc.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace oriel {

constexpr std::string_view kStatelessVersion = "2026-07-28";
constexpr std::array<std::string_view, 3> kSessionVersions = {"2025-11-25", "2025-06-18",
                                                              "2025-03-26"};  // newest first

// What `params._meta` tells of the client.
struct RequestMeta {
  std::string version;
  boost::json::object client_info;
  boost::json::object client_capabilities;
  std::optional<LogLevel> log_level;
};

// Why a request is refused, and under which HTTP status.
struct Refusal {
  int status = 400;
  RpcError error;
};

// True if it must be judged by the rules below: it names a version in _meta, or one of 2026-07-28
// or later in its header. Everything else is of the era of sessions.
bool is_stateless(const Request& http, const boost::json::object& params);

// _meta (kInvalidParams), the version header against it (kHeaderMismatch), whether the version is
// known (kUnsupportedVersion with data.supported and data.requested), Mcp-Method and Mcp-Name
// (kHeaderMismatch).
boost::system::result<RequestMeta, Refusal> check_request(const Request& http,
                                                          const std::string& method,
                                                          const boost::json::object& params);

// Mcp-Param-* of a tool whose schema has properties with x-mcp-header (kHeaderMismatch).
std::optional<Refusal> check_param_headers(const Request& http, const boost::json::object& schema,
                                           const boost::json::object& arguments);

// A header's value in words: "=?base64?...?=" decoded, strictly; anything else as it stands without
// the spaces around it. None if it claims to be Base64 and is not.
std::optional<std::string> header_words(std::string_view value);

// True if an Accept header takes this type, by name or by wildcard; no header takes everything.
bool accepts(const Request& http, std::string_view type);

}  // namespace oriel
