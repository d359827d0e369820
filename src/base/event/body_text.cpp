#include "base/event/body_text.h"

namespace oriel {
namespace {

// The position of the quote that ends the string whose first byte is at `first`; npos if none does.
std::size_t end_of_string(std::string_view json, std::size_t first) {
  for (std::size_t quote = json.find('"', first); quote != json.npos;
       quote = json.find('"', quote + 1)) {
    std::size_t escapes = 0;
    while (quote - escapes > first && json[quote - escapes - 1] == '\\')
      ++escapes;
    if (escapes % 2 == 0) return quote;
  }
  return json.npos;
}

}  // namespace

TextSpan text_span(std::string_view body) {
  constexpr std::string_view kType = R"("type":")";
  constexpr std::string_view kText = R"(","text":")";
  if (!body.starts_with(kType)) return {};
  const std::size_t type_end = end_of_string(body, kType.size());
  if (type_end == body.npos || !body.substr(type_end).starts_with(kText)) return {};
  const std::size_t first = type_end + kText.size();
  const std::size_t last = end_of_string(body, first);
  if (last == body.npos) return {};
  return {.offset = first, .size = last - first};
}

}  // namespace oriel
