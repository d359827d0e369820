#pragma once
// Lines that agents write: one JSON object each, of any shape.

#include "base/text/json_access.h"

#include <boost/json/storage_ptr.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace oriel {

// None if the line is not a JSON object. Invalid UTF-8 and unpaired surrogates become U+FFFD, so
// that a program that cuts text in the middle of a character does not lose a message. The value
// lives in `memory`.
std::optional<boost::json::value> parse_line(std::string_view line,
                                             const boost::json::storage_ptr& memory = {});

// The text of an agent's content: a string, blocks with text, or JSON.
std::string content_text(const boost::json::value& content);

// Unpacks providers' errors, which are JSON inside a string: `400 {"error":{"message":"too long"}}`
// becomes `400 too long`.
std::string plain_error(std::string_view text);

}  // namespace oriel
