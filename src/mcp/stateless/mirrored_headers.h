#pragma once
// Headers that repeat what is in the body of a request, for those between client and server who do
// not read bodies. Who acts on the one must not be told something else by the other. Pure.

#include "http/request.h"
#include "mcp/refusal.h"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace oriel::mcp {

// A header's value in words: "=?base64?...?=" decoded, strictly; anything else as it stands without
// the spaces around it. None if it claims to be Base64 and is not, or is not printable ASCII.
std::optional<std::string> header_words(std::string_view value);

// A header's value that header_words reads as these: themselves, or else as Base64.
std::string header_value(std::string_view words);

enum class HeaderCoding {
  kPlain,  // the value as it stands
  kWords,  // header_words
};

// kHeaderMismatch unless the header is there, once, and says `value`.
std::optional<Refusal> check_header(const http::Request& http, std::string_view name,
                                    HeaderCoding coding, std::string_view value);

// kHeaderMismatch if it is there.
std::optional<Refusal> check_no_header(const http::Request& http, std::string_view name);

// Mcp-Param-* of a tool whose schema has properties with x-mcp-header (kHeaderMismatch): strings,
// integers and booleans that are reached by "properties" alone. Integers compare as numbers.
std::optional<Refusal> check_param_headers(const http::Request& http,
                                           const boost::json::object& schema,
                                           const boost::json::object& arguments);

}  // namespace oriel::mcp
