#include "cli/render/shown_text.h"

namespace oriel {

ShownText::Rest ShownText::settle(std::int64_t message, std::string_view text) {
  std::string& shown = shown_[message];
  // Pieces may be ahead of the whole text.
  if (shown.starts_with(text)) return {};
  const bool is_replaced = !text.starts_with(shown);
  Rest rest{.text = std::string(is_replaced ? text : text.substr(shown.size())),
            .is_replaced = is_replaced};
  shown = text;
  return rest;
}

}  // namespace oriel
