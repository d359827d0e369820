#include "cli/hooks/json_members.h"

#include <boost/json/parse.hpp>

#include <algorithm>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::string_view kJsonSpaces = " \t\r\n";

// Skips over parts of a text. Position npos is the end.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::size_t position() const { return position_; }

  void skip_spaces() { position_ = text_.find_first_not_of(kJsonSpaces, position_); }

  // Takes this character if it is next.
  bool take(char c) {
    if (position_ >= text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }

  bool skip_string() {
    if (!take('"')) return false;
    while (true) {
      position_ = text_.find_first_of("\"\\", position_);
      if (position_ == text_.npos) return false;
      if (take('"')) return true;
      position_ += 2;  // an escape
    }
  }

  // Stops at the comma or bracket after the value.
  bool skip_value() {
    std::size_t depth = 0;
    while (true) {
      position_ = text_.find_first_of("\"{}[],", position_);
      if (position_ == text_.npos) return false;
      const char c = text_[position_];
      if (c == '"') {
        if (!skip_string()) return false;
        continue;
      }
      const bool is_closing = c == '}' || c == ']';
      if (depth == 0 && (is_closing || c == ',')) return true;
      if (is_closing) --depth;
      if (c == '{' || c == '[') ++depth;
      ++position_;
    }
  }

 private:
  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace

std::optional<std::vector<JsonMember>> json_members(std::string_view text) {
  std::vector<JsonMember> members;
  Scanner scanner(text);
  scanner.skip_spaces();
  if (!scanner.take('{')) return std::nullopt;
  scanner.skip_spaces();
  bool is_over = scanner.take('}');
  while (!is_over) {
    scanner.skip_spaces();
    JsonMember member{.key = {}, .key_begin = scanner.position()};
    if (!scanner.skip_string()) return std::nullopt;
    member.key = string_value(text.substr(member.key_begin, scanner.position() - member.key_begin));
    scanner.skip_spaces();
    if (!scanner.take(':')) return std::nullopt;
    scanner.skip_spaces();
    member.value_begin = scanner.position();
    if (!scanner.skip_value()) return std::nullopt;
    member.value_end = text.find_last_not_of(kJsonSpaces, scanner.position() - 1) + 1;
    if (member.value_end <= member.value_begin) return std::nullopt;
    members.push_back(std::move(member));
    is_over = scanner.take('}');
    if (!is_over && !scanner.take(',')) return std::nullopt;
  }
  scanner.skip_spaces();
  if (scanner.position() != text.npos) return std::nullopt;
  return members;
}

const JsonMember* find_member(const std::vector<JsonMember>& members, std::string_view key) {
  const auto found = std::find_if(members.rbegin(), members.rend(),
                                  [key](const JsonMember& member) { return member.key == key; });
  return found == members.rend() ? nullptr : &*found;
}

std::string string_value(std::string_view text) {
  json::error_code problem;
  const json::value value = json::parse(text, problem);
  if (problem || !value.is_string()) return {};
  return std::string(value.get_string());
}

}  // namespace oriel
