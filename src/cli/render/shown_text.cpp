#include "cli/render/shown_text.h"

namespace oriel {

ShownText::Rest ShownText::settle(std::int64_t message, std::string_view text) {
  std::string& shown = shown_[message];
  // Pieces may run ahead of the whole that is told of them.
  if (shown.starts_with(text)) return {};
  const bool is_anew = !text.starts_with(shown);
  Rest rest{.text = std::string(is_anew ? text : text.substr(shown.size())), .is_anew = is_anew};
  shown = text;
  return rest;
}

}  // namespace oriel
