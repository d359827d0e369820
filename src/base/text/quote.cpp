#include "base/text/quote.h"

#include <spdlog/fmt/fmt.h>

namespace oriel {
namespace {
constexpr std::size_t kMaxQuoted = 80;
}

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text.substr(0, kMaxQuoted)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f || c == '"' || c == '\\') {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  out += text.size() > kMaxQuoted ? "...\"" : "\"";
  return out;
}

}  // namespace oriel
