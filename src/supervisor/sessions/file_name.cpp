#include "supervisor/sessions/file_name.h"

#include "base/text/ascii.h"
#include "base/text/glyph.h"
#include "base/text/utf8.h"
#include "base/text/visible.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace oriel {
namespace {

constexpr std::size_t kLongestEnding = 16;
constexpr std::string_view kMarks = " ._-+@,=()[]#%~^";

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
    const Glyph next = first_glyph(rest);
    rest.remove_prefix(next.bytes.size());
    if (next.character == '\t' || is_hidden(next.character)) continue;
    if (next.bytes.size() == 1 && !is_plain(next.bytes.front()))
      safe += '_';
    else
      safe += next.bytes;
  }
  safe = shortened(without_ends(safe));
  if (safe.empty()) return "file";
  return is_device(safe) ? std::string(first_bytes("_" + safe, kMaxFileName)) : safe;
}

}  // namespace oriel
