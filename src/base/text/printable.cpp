#include "base/text/printable.h"

#include "base/text/glyph.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace oriel {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Enough of Unicode's tables to keep lines within a terminal; an unlisted character counts as one
// column.
constexpr std::array<Range, 8> kZeroWidth = {{{0x0300, 0x036f},
                                              {0x0483, 0x0489},
                                              {0x0591, 0x05bd},
                                              {0x1ab0, 0x1aff},
                                              {0x1dc0, 0x1dff},
                                              {0x200b, 0x200d},
                                              {0x20d0, 0x20ff},
                                              {0xfe00, 0xfe0f}}};
constexpr std::array<Range, 11> kDoubleWidth = {{{0x1100, 0x115f},
                                                 {0x2e80, 0x303e},
                                                 {0x3041, 0x33ff},
                                                 {0x3400, 0x4dbf},
                                                 {0x4e00, 0x9fff},
                                                 {0xa000, 0xa4cf},
                                                 {0xac00, 0xd7a3},
                                                 {0xf900, 0xfaff},
                                                 {0xff00, 0xff60},
                                                 {0x1f300, 0x1faff},
                                                 {0x20000, 0x3fffd}}};
constexpr std::array<Range, 6> kHidden = {{{0x0080, 0x009f},  // C1 controls
                                           {0x061c, 0x061c},  // direction marks, here and below
                                           {0x200e, 0x200f},
                                           {0x2028, 0x202e},
                                           {0x2066, 0x2069},
                                           {0xfeff, 0xfeff}}};

template <std::size_t kCount>
bool is_in(const std::array<Range, kCount>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [c](Range range) { return c >= range.first && c <= range.last; });
}

std::string shown(const Glyph& glyph) {
  if (!glyph.is_valid) return fmt::format("\\x{:02x}", static_cast<unsigned char>(glyph.bytes[0]));
  if (glyph.character == '\n') return "\\n";
  if (glyph.character == '\t') return "\\t";
  if (glyph.character < 0x20 || glyph.character == 0x7f) {
    return fmt::format("\\x{:02x}", static_cast<unsigned>(glyph.character));
  }
  if (is_in(kHidden, glyph.character)) {
    return fmt::format("\\u{{{:x}}}", static_cast<unsigned>(glyph.character));
  }
  return std::string(glyph.bytes);
}

std::size_t width_of(char32_t c) {
  if (is_in(kZeroWidth, c)) return 0;
  return is_in(kDoubleWidth, c) ? 2 : 1;
}

}  // namespace

std::string printable(std::string_view text, std::size_t max_columns) {
  std::string out;
  std::size_t columns = 0;
  std::size_t cut = 0;  // where an ellipsis would still fit
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    text.remove_prefix(glyph.bytes.size());
    const std::string piece = shown(glyph);
    const std::size_t width = display_width(piece);
    if (width > max_columns - columns) {
      out.resize(cut);
      return max_columns == 0 ? out : out + "…";
    }
    columns += width;
    out += piece;
    if (columns < max_columns) cut = out.size();
  }
  return out;
}

std::string printable_lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    text.remove_prefix(glyph.bytes.size());
    if (glyph.bytes == "\r") continue;
    const bool stays = glyph.bytes == "\n" || glyph.bytes == "\t";
    out += stays ? std::string(glyph.bytes) : shown(glyph);
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    text.remove_prefix(glyph.bytes.size());
    columns += glyph.is_valid ? width_of(glyph.character) : 1;
  }
  return columns;
}

}  // namespace oriel
