#pragma once
// Finds the members of a JSON object in its text, to change one and keep the rest byte by byte.
// Pure.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

struct JsonMember {
  std::string key;
  std::size_t key_begin = 0;  // its opening quote
  std::size_t value_begin = 0;
  std::size_t value_end = 0;

  std::string_view value_in(std::string_view text) const {
    return text.substr(value_begin, value_end - value_begin);
  }
};

// The members of the object in `text`, in order; none if it is not an object. Values are skipped,
// not validated.
std::optional<std::vector<JsonMember>> json_members(std::string_view text);

// The last member of that name, which takes effect.
const JsonMember* find_member(const std::vector<JsonMember>& members, std::string_view key);

// The string in `text`; empty if it is another value.
std::string string_value(std::string_view text);

}  // namespace oriel
