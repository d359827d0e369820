#include "base/text/media_type.h"

#include "base/text/ascii.h"

#include <algorithm>

namespace oriel {
namespace {

constexpr std::string_view kUnknown = "application/octet-stream";
constexpr std::size_t kMaxPart = 64;

// RFC 6838, 4.2: how a type and its subtype may be called.
bool is_part(std::string_view text) {
  constexpr std::string_view kMarks = "!#$&-^_.+";
  const auto fits = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || kMarks.find(c) != kMarks.npos;
  };
  return !text.empty() && text.size() <= kMaxPart && std::all_of(text.begin(), text.end(), fits);
}

}  // namespace

std::string media_type_of(std::string_view declared) {
  std::string type = lower_case(stripped(declared.substr(0, declared.find(';'))));
  const std::string_view all = type;
  const std::size_t slash = all.find('/');
  const bool is_type =
      slash != all.npos && is_part(all.substr(0, slash)) && is_part(all.substr(slash + 1));
  return is_type ? type : std::string(kUnknown);
}

bool is_type_pattern(std::string_view text) {
  if (text == "*/*") return true;
  const std::size_t slash = text.find('/');
  if (slash == text.npos || !is_part(text.substr(0, slash))) return false;
  const std::string_view rest = text.substr(slash + 1);
  return rest == "*" || is_part(rest);
}

bool matches_type(std::string_view type, const std::vector<std::string>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(), [type](const std::string& pattern) {
    if (pattern == "*/*" || pattern == type) return true;
    return pattern.ends_with("/*") && type.starts_with(pattern.substr(0, pattern.size() - 1));
  });
}

}  // namespace oriel
