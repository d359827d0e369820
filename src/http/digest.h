#pragma once
// SHA-256, HMAC and cryptographically secure random bytes.

#include <string>
#include <string_view>

namespace oriel::http {

constexpr std::size_t kSha256Size = 32;

// Lower-case hex, 64 characters.
std::string sha256_hex(std::string_view bytes);

// RFC 2104; kSha256Size raw bytes.
std::string hmac_sha256(std::string_view key, std::string_view bytes);

// Compares in constant time for equal lengths.
bool is_same_secret(std::string_view a, std::string_view b);

// Suitable for keys and secrets.
std::string random_bytes(std::size_t count);

}  // namespace oriel::http
