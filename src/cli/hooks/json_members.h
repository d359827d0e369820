#pragma once
// Where the members of a JSON object stand in its text, so that one can be read or changed while
// all else stays as it was written. Pure.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

struct JsonMember {
  std::string key;
  std::size_t key_begin = 0;  // its quote
  std::size_t value_begin = 0;
  std::size_t value_end = 0;

  std::string_view value_in(std::string_view text) const {
    return text.substr(value_begin, value_end - value_begin);
  }
};

// The members of the object that `text` holds, in their order, without a look into their values;
// none when it holds no object. What it takes for one need not be sound JSON.
std::optional<std::vector<JsonMember>> json_members(std::string_view text);

// The last member of that name, which is the one that counts.
const JsonMember* find_member(const std::vector<JsonMember>& members, std::string_view key);

// What a member's value says when it is a string; empty when it is none.
std::string string_value(std::string_view text);

}  // namespace oriel
