#include "cli/render/pretty_json.h"

#include "base/text/json_text.h"

#include <boost/json/serialize.hpp>

namespace oriel {
namespace {

namespace json = boost::json;

template <class Items, class Show>
std::string pretty_list(const Items& items, std::string_view brackets, const std::string& margin,
                        const Show& show) {
  std::string text(1, brackets[0]);
  for (const auto& item : items)
    text += (text.size() > 1 ? ",\n" : "\n") + show(item);
  if (!items.empty()) text += "\n" + margin;
  return text + brackets[1];
}

}  // namespace

std::string pretty_json(const json::value& value, const std::string& indent,
                        const std::string& margin) {
  const std::string inner = margin + indent;
  if (value.is_object()) {
    return pretty_list(value.get_object(), "{}", margin, [&](const auto& member) {
      return inner + json::serialize(member.key()) + ": " +
             pretty_json(member.value(), indent, inner);
    });
  }
  if (value.is_array()) {
    return pretty_list(value.get_array(), "[]", margin, [&](const json::value& item) {
      return inner + pretty_json(item, indent, inner);
    });
  }
  return json_text(value);
}

std::string indent_of(const std::string& text) {
  const std::size_t line = text.find('\n');
  if (line == text.npos || line > 2) return "  ";  // the first line is more than a bracket
  const std::size_t word = text.find_first_not_of(" \t", line + 1);
  if (word == text.npos || word == line + 1 || word > line + 9) return "  ";
  return text.substr(line + 1, word - line - 1);
}

}  // namespace oriel
