#include "base/text/title.h"

#include "base/text/text_hash.h"
#include "base/text/utf8.h"

namespace oriel {
namespace {

constexpr std::size_t kMaxTitle = 80;

}  // namespace

std::string_view title_line(std::string_view text) {
  text = trimmed(text);
  return trimmed(text.substr(0, text.find('\n')));
}

std::string title_of(std::string_view text) {
  return std::string(first_bytes(title_line(text), kMaxTitle));
}

}  // namespace oriel
