#pragma once
// SHA-256 and random bytes, for what must not be guessed or must not change unseen.

#include <string>
#include <string_view>

namespace oriel::http {

constexpr std::size_t kSha256Size = 32;

// In lower-case hex: 64 characters.
std::string sha256_hex(std::string_view bytes);

// RFC 2104, as kSha256Size bytes.
std::string hmac_sha256(std::string_view key, std::string_view bytes);

// In a time that depends on the lengths alone, so that nothing can be learned by guessing.
bool is_same_secret(std::string_view a, std::string_view b);

// Fit for keys and secrets.
std::string random_bytes(std::size_t count);

}  // namespace oriel::http
