#pragma once
// Headers that repeat fields of the body for intermediaries that do not parse bodies. Rejects
// requests whose headers and body disagree. Pure.

#include "http/request.h"
#include "mcp/refusal.h"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace oriel::mcp {

// Decodes a header value: "=?base64?...?=" strictly, anything else trimmed. None for invalid Base64
// or non-printable characters.
std::optional<std::string> header_words(std::string_view value);

// Encodes a value for header_words(): plain if possible, else Base64.
std::string header_value(std::string_view words);

enum class HeaderCoding {
  kPlain,  // compared as sent
  kWords,  // header_words
};

// kHeaderMismatch unless the header is present once and equals `value`.
std::optional<Refusal> check_header(const http::Request& http, std::string_view name,
                                    HeaderCoding coding, std::string_view value);

// kHeaderMismatch if the header is present.
std::optional<Refusal> check_no_header(const http::Request& http, std::string_view name);

// Checks Mcp-Param-* headers of properties with x-mcp-header (kHeaderMismatch): strings, integers
// and booleans reached through "properties" only. Integers compare numerically.
std::optional<Refusal> check_param_headers(const http::Request& http,
                                           const boost::json::object& schema,
                                           const boost::json::object& arguments);

}  // namespace oriel::mcp
