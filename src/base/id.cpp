#include "base/id.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace oriel {
namespace {

constexpr std::string_view kAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == ':' || c == '-';
}

// Buffers the kernel's random bytes, because one system call per id is expensive. Per thread; each
// byte is used once.
class RandomBytes {
 public:
  unsigned char next() {
    if (at_ == bytes_.size()) refill();
    return std::exchange(bytes_[at_++], 0);
  }

 private:
  void refill() {
    if (getrandom(bytes_.data(), bytes_.size(), 0) != static_cast<ssize_t>(bytes_.size()))
      throw std::system_error(errno, std::generic_category(), "getrandom");
    at_ = 0;
  }

  std::array<unsigned char, 256> bytes_{};
  std::size_t at_ = bytes_.size();
};

}  // namespace

std::string random_id() {
  thread_local RandomBytes bytes;
  std::string id;
  id.reserve(kRandomIdLength);
  for (std::size_t i = 0; i < kRandomIdLength; ++i)
    id += kAlphabet[bytes.next() % kAlphabet.size()];
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
