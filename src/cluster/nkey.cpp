#include "cluster/nkey.h"

#include "base/text/text_hash.h"

#include <openssl/evp.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

namespace oriel {
namespace {

constexpr std::string_view kBase32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kSeedBytes = 2 + kKeyBytes + 2;  // prefixes, key, checksum
constexpr std::size_t kSeedLetters = 58;
constexpr unsigned char kSeedPrefix = 18 << 3;
constexpr unsigned char kUserPrefix = 20 << 3;

std::optional<std::string> decode_base32(std::string_view text) {
  std::string bytes;
  unsigned pending = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t value = kBase32.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    pending = (pending << 5 | static_cast<unsigned>(value)) & 0xFFF;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(pending >> bits & 0xFF);
  }
  return bytes;
}

std::string encode_base32(std::string_view bytes) {
  std::string text;
  unsigned pending = 0;
  int bits = 0;
  for (const char c : bytes) {
    pending = (pending << 8 | static_cast<unsigned char>(c)) & 0xFFFF;
    bits += 8;
    for (; bits >= 5; bits -= 5)
      text += kBase32[pending >> (bits - 5) & 31];
  }
  if (bits > 0) text += kBase32[pending << (5 - bits) & 31];
  return text;
}

// CRC-16/XMODEM, lowest byte first.
std::string checksum(std::string_view bytes) {
  unsigned crc = 0;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned>(static_cast<unsigned char>(c)) << 8;
    for (int i = 0; i < 8; ++i)
      crc = ((crc & 0x8000) != 0 ? crc << 1 ^ 0x1021 : crc << 1) & 0xFFFF;
  }
  return {static_cast<char>(crc & 0xFF), static_cast<char>(crc >> 8)};
}

bool is_user_seed(std::string_view bytes) {
  if (bytes.size() != kSeedBytes) return false;
  const auto first = static_cast<unsigned char>(bytes[0]);
  const auto second = static_cast<unsigned char>(bytes[1]);
  const auto kind = static_cast<unsigned char>(first << 5 | second >> 3);
  if ((first & 0xF8) != kSeedPrefix || kind != kUserPrefix) return false;
  return checksum(bytes.substr(0, kSeedBytes - 2)) == bytes.substr(kSeedBytes - 2);
}

}  // namespace

std::string find_nkey_seed(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    if (line.starts_with("SU")) return std::string(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

Result<std::string> public_nkey(std::string_view seed) {
  const auto bytes = decode_base32(seed);
  if (!bytes || seed.size() != kSeedLetters || !is_user_seed(*bytes)) {
    return Error{.kind = ErrorKind::kBadOption,
                 .message = "this is not the seed of an nkey",
                 .hint = "a user's seed begins with SU and has 58 letters and digits"};
  }
  const auto* secret = reinterpret_cast<const unsigned char*>(bytes->data() + 2);
  const std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key(
      EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, secret, kKeyBytes), EVP_PKEY_free);
  std::array<unsigned char, kKeyBytes> found{};
  std::size_t size = found.size();
  if (key == nullptr || EVP_PKEY_get_raw_public_key(key.get(), found.data(), &size) != 1)
    throw std::runtime_error("Ed25519 is not available");
  std::string named(1, static_cast<char>(kUserPrefix));
  named.append(reinterpret_cast<const char*>(found.data()), found.size());
  return encode_base32(named + checksum(named));
}

}  // namespace oriel
