#include "mcp/accept.h"

#include "base/text/ascii.h"

#include <algorithm>
#include <string>

namespace oriel::mcp {
namespace {

// Removes and returns the trimmed part of `text` before the separator.
std::string_view take_part(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = stripped(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

// q=0, q=0.0 and so on, in lower case.
bool is_refusal(std::string_view parameter) {
  return parameter.starts_with("q=0") && parameter.find_first_not_of("0.", 2) == parameter.npos;
}

// Specificity of a range for a type: 0 no match, 3 exact.
int exactness(std::string_view range, std::string_view type) {
  if (range == type) return 3;
  if (range == "*/*") return 1;
  const bool is_of_its_kind =
      range.ends_with("/*") && type.starts_with(range.substr(0, range.size() - 1));
  return is_of_its_kind ? 2 : 0;
}

}  // namespace

bool accepts(const http::Request& http, std::string_view type) {
  bool has_ranges = false;
  int best = 0;
  bool is_accepted = false;
  for (const auto& [name, value] : http.headers) {
    if (name != "accept") continue;
    const std::string lower = lower_case(value);
    for (std::string_view rest = lower; !rest.empty();) {
      std::string_view parameters = take_part(rest, ',');
      const std::string_view range = take_part(parameters, ';');
      has_ranges = has_ranges || !range.empty();
      const int found = exactness(range, type);
      if (found <= best) continue;
      best = found;
      is_accepted = true;
      while (!parameters.empty())
        is_accepted = !is_refusal(take_part(parameters, ';')) && is_accepted;
    }
  }
  return is_accepted || !has_ranges;
}

}  // namespace oriel::mcp
