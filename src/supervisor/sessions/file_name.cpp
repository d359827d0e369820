#include "supervisor/sessions/file_name.h"

#include "base/text/ascii.h"
#include "base/text/utf8.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

namespace oriel {
namespace {

constexpr std::size_t kLongestEnding = 16;
constexpr std::string_view kMarks = " ._-+@,=()[]#%~^";

struct Character {
  std::uint32_t code;
  std::string_view bytes;
};

// The first one of valid UTF-8.
Character first_of(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  std::uint32_t code = size == 1 ? lead : lead & (0xffU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i)
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3fU);
  return {.code = code, .bytes = text.substr(0, size)};
}

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// Nothing to see, or something else than it seems: controls, directions, breaks, zero widths,
// variation selectors, tags.
constexpr std::array<Range, 13> kUnseen = {{{0x00, 0x1f},
                                            {0x7f, 0x9f},
                                            {0xad, 0xad},
                                            {0x61c, 0x61c},
                                            {0x180e, 0x180e},
                                            {0x200b, 0x200f},
                                            {0x2028, 0x202e},
                                            {0x2060, 0x206f},
                                            {0xfe00, 0xfe0f},
                                            {0xfeff, 0xfeff},
                                            {0xfff0, 0xfffb},
                                            {0xe0000, 0xe0fff},
                                            {0xf0000, 0x10ffff}}};

bool is_unseen(std::uint32_t code) {
  return std::any_of(kUnseen.begin(), kUnseen.end(), [code](const Range& range) {
    return code >= range.first && code <= range.last;
  });
}

bool is_plain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || kMarks.find(c) != kMarks.npos;
}

std::string without_ends(const std::string& name) {
  const std::size_t first = name.find_first_not_of(" .");
  if (first == name.npos) return {};
  return name.substr(first, name.find_last_not_of(" .") - first + 1);
}

std::string shortened(const std::string& name) {
  if (name.size() <= kMaxFileName) return name;
  const std::size_t dot = name.rfind('.');
  const bool has_ending = dot != name.npos && name.size() - dot <= kLongestEnding;
  const std::string ending = has_ending ? name.substr(dot) : "";
  return without_ends(std::string(first_bytes(name.substr(0, dot), kMaxFileName - ending.size()))) +
         ending;
}

// Whether Windows treats the name as a device, as it does with any ending.
bool is_device(const std::string& name) {
  const std::string stem = lower_case(name.substr(0, name.find('.')));
  constexpr std::array<std::string_view, 4> kDevices = {"con", "prn", "aux", "nul"};
  if (std::find(kDevices.begin(), kDevices.end(), stem) != kDevices.end()) return true;
  return stem.size() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")) &&
         std::isdigit(static_cast<unsigned char>(stem[3])) != 0;
}

}  // namespace

std::string safe_file_name(std::string_view name) {
  const std::string valid = valid_utf8(std::string(name.substr(name.find_last_of("/\\") + 1)));
  std::string safe;
  for (std::string_view rest = valid; !rest.empty();) {
    const Character next = first_of(rest);
    rest.remove_prefix(next.bytes.size());
    if (is_unseen(next.code)) continue;
    if (next.code < 0x80 && !is_plain(next.bytes.front()))
      safe += '_';
    else
      safe += next.bytes;
  }
  safe = shortened(without_ends(safe));
  if (safe.empty()) return "file";
  return is_device(safe) ? std::string(first_bytes("_" + safe, kMaxFileName)) : safe;
}

}  // namespace oriel
