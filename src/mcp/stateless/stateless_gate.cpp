#include "mcp/stateless/stateless_gate.h"

#include "base/text/ascii.h"
#include "base/text/quote.h"
#include "base/text/utf8.h"
#include "mcp/client_info.h"
#include "mcp/stateless/mirrored_headers.h"

#include <algorithm>
#include <utility>

namespace oriel::mcp {
namespace {

namespace json = boost::json;

constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kInfoKey = "io.modelcontextprotocol/clientInfo";
constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view kLogLevelKey = "io.modelcontextprotocol/logLevel";

constexpr std::string_view kVersionHeader = "MCP-Protocol-Version";
constexpr std::string_view kMethodHeader = "Mcp-Method";
constexpr std::string_view kNameHeader = "Mcp-Name";

Refusal bad_meta(std::string_view key, const std::string& wanted) {
  return {.error = {.code = kInvalidParams,
                    .message = "params._meta[" + quote(key) + "] must be " + wanted,
                    .data = nullptr}};
}

Refusal unsupported(std::string_view version) {
  const bool has_sessions = std::find(kSessionVersions.begin(), kSessionVersions.end(), version) !=
                            kSessionVersions.end();
  const std::string problem =
      has_sessions ? " begins with initialize, and its requests have no version in _meta"
                   : " is not supported: choose one of data.supported";
  return {.error = {.code = kUnsupportedVersion,
                    .message = "the protocol version " + quote(version) + problem,
                    .data = json::object{{"supported", supported_versions()},
                                         {"requested", valid_utf8(std::string(version))}}}};
}

// ISO dates compare lexicographically.
bool is_stateless_date(std::string_view version) {
  constexpr std::string_view kShape = "0000-00-00";
  const auto fits = [](char c, char shape) {
    return shape == '-' ? c == '-' : c >= '0' && c <= '9';
  };
  return std::equal(version.begin(), version.end(), kShape.begin(), kShape.end(), fits) &&
         version >= kStatelessVersion;
}

const json::object* meta_of(const json::object& params) {
  const json::value* meta = params.if_contains("_meta");
  return meta == nullptr ? nullptr : meta->if_object();
}

std::optional<std::string> optional_text(const json::object& object, std::string_view key) {
  const json::value* text = object.if_contains(key);
  if (text == nullptr || !text->is_string()) return std::nullopt;
  return std::string(text->get_string());
}

// The body field that Mcp-Name repeats; empty if the method has none.
std::string_view named_field(std::string_view method) {
  if (method == "tools/call" || method == "prompts/get") return "name";
  if (method == "resources/read") return "uri";
  if (method == "tasks/get" || method == "tasks/update" || method == "tasks/cancel")
    return "taskId";
  return {};
}

boost::system::result<RequestMeta, Refusal> read_meta(const json::object& params) {
  const json::object* found = meta_of(params);
  if (found == nullptr) {
    return Refusal{.error = {.code = kInvalidParams,
                             .message = "params._meta must be an object with " +
                                        quote(kVersionKey) + " and " + quote(kCapabilitiesKey),
                             .data = nullptr}};
  }
  const json::value* version = found->if_contains(kVersionKey);
  const json::value* capabilities = found->if_contains(kCapabilitiesKey);
  const json::value* info = found->if_contains(kInfoKey);
  const json::value* level = found->if_contains(kLogLevelKey);
  if (version == nullptr || !version->is_string()) {
    return bad_meta(kVersionKey,
                    "the version of the protocol, such as " + quote(kStatelessVersion));
  }
  if (capabilities == nullptr || !capabilities->is_object()) {
    return bad_meta(kCapabilitiesKey, "an object: {} if the client has none");
  }
  if (info != nullptr && !info->is_object()) return bad_meta(kInfoKey, "an object, or left out");

  RequestMeta meta;
  meta.version = version->get_string();
  auto kept = read_capabilities(capabilities->get_object());
  if (!kept) return Refusal{.error = kept.error()};
  meta.client_capabilities = *std::move(kept);
  auto named = read_client_info(info == nullptr ? json::object() : info->get_object());
  if (!named) return Refusal{.error = named.error()};
  meta.client_info = *std::move(named);
  if (level != nullptr) {
    if (level->is_string()) meta.log_level = parse_log_level(level->get_string());
    if (!meta.log_level) {
      return bad_meta(kLogLevelKey,
                      "debug, info, notice, warning, error, critical, alert or emergency");
    }
  }
  return meta;
}

std::optional<Refusal> check_name(const http::Request& http, const std::string& method,
                                  const json::object& params) {
  if (named_field(method).empty()) return std::nullopt;
  const auto name = named_thing(method, params);
  // The method reports missing parameters itself.
  if (!name) return check_no_header(http, kNameHeader);
  return check_header(http, kNameHeader, HeaderCoding::kWords, *name);
}

}  // namespace

json::array supported_versions() {
  json::array versions{kStatelessVersion};
  versions.insert(versions.end(), kSessionVersions.begin(), kSessionVersions.end());
  return versions;
}

bool is_stateless(const http::Request& http, const json::object& params) {
  const json::object* meta = meta_of(params);
  if (meta != nullptr && meta->contains(kVersionKey)) return true;
  const auto version = http.header(lower_case(kVersionHeader));
  return version && is_stateless_date(stripped(*version));
}

std::optional<std::string> named_version(const json::object& params) {
  const json::object* meta = meta_of(params);
  return meta == nullptr ? std::nullopt : optional_text(*meta, kVersionKey);
}

std::optional<std::string> named_thing(std::string_view method, const json::object& params) {
  return optional_text(params, named_field(method));
}

boost::system::result<RequestMeta, Refusal> check_request(const http::Request& http,
                                                          const std::string& method,
                                                          const json::object& params) {
  auto meta = read_meta(params);
  if (!meta) return meta;
  if (auto refusal = check_header(http, kVersionHeader, HeaderCoding::kPlain, meta->version))
    return std::move(*refusal);
  if (meta->version != kStatelessVersion) return unsupported(meta->version);
  if (auto refusal = check_header(http, kMethodHeader, HeaderCoding::kPlain, method))
    return std::move(*refusal);
  if (auto refusal = check_name(http, method, params)) return std::move(*refusal);
  return meta;
}

std::optional<Refusal> check_notification(const http::Request& http, const std::string& method,
                                          const json::object& params) {
  const auto header = http.header(lower_case(kVersionHeader));
  std::string version(stripped(header.value_or("")));
  const json::object* meta = meta_of(params);
  if (const json::value* named = meta == nullptr ? nullptr : meta->if_contains(kVersionKey)) {
    if (!named->is_string()) return bad_meta(kVersionKey, "a string, or left out");
    version = named->get_string();
  }
  if (header) {
    if (auto refusal = check_header(http, kVersionHeader, HeaderCoding::kPlain, version))
      return refusal;
  }
  if (version != kStatelessVersion) return unsupported(version);
  if (!http.header(lower_case(kMethodHeader))) return std::nullopt;
  return check_header(http, kMethodHeader, HeaderCoding::kPlain, method);
}

}  // namespace oriel::mcp
