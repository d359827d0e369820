#include "core/id.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace oriel {
namespace {

constexpr std::string_view kAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == ':' || c == '-';
}

}  // namespace

std::string random_id() {
  std::array<unsigned char, kRandomIdLength> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw std::system_error(errno, std::generic_category(), "getrandom");
  }
  std::string id;
  id.reserve(bytes.size());
  for (const unsigned char byte : bytes)
    id += kAlphabet[byte % kAlphabet.size()];
  return id;
}

bool is_random_id(std::string_view text) {
  return text.size() == kRandomIdLength && text.find_first_not_of(kAlphabet) == text.npos;
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kMaxNameLength &&
         std::all_of(text.begin(), text.end(), is_name_char);
}

}  // namespace oriel
