#pragma once
// The lines that agents write: each one JSON object, of which nothing else may be taken for
// granted.

#include <boost/json/array.hpp>
#include <boost/json/storage_ptr.hpp>
#include <boost/json/value.hpp>

#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace oriel {

// Nothing when the line is not a JSON object. Bytes that are not UTF-8 and halves of a surrogate
// pair become U+FFFD: a program that cuts a text in the wrong place must not lose a message by it.
// What it makes is in `memory`; whoever needs a line only for a moment gives it some that is quick.
std::optional<boost::json::value> parse_line(std::string_view line,
                                             const boost::json::storage_ptr& memory = {});

// What `from` holds under the keys, one inside the other; null when it has no such member.
const boost::json::value& member(const boost::json::value& from, std::string_view key);

const boost::json::value& member(const boost::json::value& from, std::string_view key,
                                 std::convertible_to<std::string_view> auto... keys) {
  return member(member(from, key), keys...);
}

// The text of a string, the elements of an array; empty for a value of any other type.
std::string_view text_of(const boost::json::value& value);
const boost::json::array& elements_of(const boost::json::value& value);
bool is_true(const boost::json::value& value);

// A text from whatever an agent calls content: a string, blocks with texts in them, or JSON.
std::string content_text(const boost::json::value& content);

// Providers' errors arrive as JSON inside a string: `400 {"error":{"message":"too long"}}` becomes
// `400 too long`.
std::string plain_error(std::string_view text);

}  // namespace oriel
