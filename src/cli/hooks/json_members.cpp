#include "cli/hooks/json_members.h"

#include <boost/json/parse.hpp>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::string_view kSpaces = " \t\r\n";

// Walks over a text. `npos` means that the text is over.
class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text) {}

  std::size_t place() const { return place_; }

  void skip_spaces() { place_ = text_.find_first_not_of(kSpaces, place_); }

  // Takes this character, if it comes next.
  bool take(char c) {
    if (place_ >= text_.size() || text_[place_] != c) return false;
    ++place_;
    return true;
  }

  bool skip_string() {
    if (!take('"')) return false;
    while (true) {
      place_ = text_.find_first_of("\"\\", place_);
      if (place_ == text_.npos) return false;
      if (take('"')) return true;
      place_ += 2;  // an escape
    }
  }

  // To the comma or bracket that ends it.
  bool skip_value() {
    std::size_t depth = 0;
    while (true) {
      place_ = text_.find_first_of("\"{}[],", place_);
      if (place_ == text_.npos) return false;
      const char c = text_[place_];
      if (c == '"') {
        if (!skip_string()) return false;
        continue;
      }
      const bool is_closing = c == '}' || c == ']';
      if (depth == 0 && (is_closing || c == ',')) return true;
      if (is_closing) --depth;
      if (c == '{' || c == '[') ++depth;
      ++place_;
    }
  }

 private:
  std::string_view text_;
  std::size_t place_ = 0;
};

}  // namespace

std::optional<std::vector<JsonMember>> json_members(std::string_view text) {
  std::vector<JsonMember> members;
  Walk walk(text);
  walk.skip_spaces();
  if (!walk.take('{')) return std::nullopt;
  walk.skip_spaces();
  bool is_over = walk.take('}');
  while (!is_over) {
    walk.skip_spaces();
    JsonMember member{.key = {}, .key_begin = walk.place()};
    if (!walk.skip_string()) return std::nullopt;
    member.key = string_value(text.substr(member.key_begin, walk.place() - member.key_begin));
    walk.skip_spaces();
    if (!walk.take(':')) return std::nullopt;
    walk.skip_spaces();
    member.value_begin = walk.place();
    if (!walk.skip_value()) return std::nullopt;
    member.value_end = text.find_last_not_of(kSpaces, walk.place() - 1) + 1;
    if (member.value_end <= member.value_begin) return std::nullopt;
    members.push_back(std::move(member));
    is_over = walk.take('}');
    if (!is_over && !walk.take(',')) return std::nullopt;
  }
  walk.skip_spaces();
  if (walk.place() != text.npos) return std::nullopt;
  return members;
}

const JsonMember* find_member(const std::vector<JsonMember>& members, std::string_view key) {
  for (auto member = members.rbegin(); member != members.rend(); ++member) {
    if (member->key == key) return &*member;
  }
  return nullptr;
}

std::string string_value(std::string_view text) {
  json::error_code problem;
  const json::value value = json::parse(text, problem);
  if (problem || !value.is_string()) return {};
  return std::string(value.get_string());
}

}  // namespace oriel
