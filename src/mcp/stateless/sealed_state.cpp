#include "mcp/stateless/sealed_state.h"

#include "base/text/base64.h"
#include "http/digest.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <cstdint>
#include <utility>

namespace oriel::mcp {
namespace {

namespace json = boost::json;

constexpr std::size_t kNumberSize = 8;
constexpr std::size_t kMaxStateDepth = 64;  // depth of a request plus the envelope

std::string encode_number(std::uint64_t number) {
  std::string bytes;
  for (unsigned shift = 64; shift > 0; shift -= 8)
    bytes += static_cast<char>(number >> (shift - 8) & 0xFF);
  return bytes;
}

std::uint64_t decode_number(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes)
    number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

// Length-prefixed, so that the purpose and the state cannot be confused.
std::string mac(std::string_view key, std::string_view purpose, std::string_view content) {
  std::string sealed = encode_number(purpose.size());
  sealed += purpose;
  sealed += content;
  return http::hmac_sha256(key, sealed);
}

}  // namespace

StateSealer::StateSealer() : key_(http::random_bytes(http::kSha256Size)) {}

// MAC, sealing time, state.
std::string StateSealer::seal(const json::object& state, std::string_view purpose,
                              WallTime now) const {
  const auto sealed_at = static_cast<std::uint64_t>(now.time_since_epoch().count());
  const std::string content = encode_number(sealed_at) + json::serialize(state);
  return base64url(mac(key_, purpose, content) + content);
}

std::optional<json::object> StateSealer::open(std::string_view text, std::string_view purpose,
                                              WallTime now,
                                              std::chrono::milliseconds max_age) const {
  const std::optional<std::string> bytes = from_base64url(text);
  if (!bytes || bytes->size() < http::kSha256Size + kNumberSize) return std::nullopt;
  const std::string_view claimed = std::string_view(*bytes).substr(0, http::kSha256Size);
  const std::string_view content = std::string_view(*bytes).substr(http::kSha256Size);
  if (!http::is_same_secret(claimed, mac(key_, purpose, content))) return std::nullopt;

  const auto sealed_at = static_cast<std::int64_t>(decode_number(content.substr(0, kNumberSize)));
  if (now - WallTime(std::chrono::milliseconds(sealed_at)) > max_age) return std::nullopt;
  json::parse_options options;
  options.max_depth = kMaxStateDepth;
  boost::system::error_code error;
  json::value state = json::parse(content.substr(kNumberSize), error, {}, options);
  if (error || !state.is_object()) return std::nullopt;
  return std::move(state.get_object());
}

}  // namespace oriel::mcp
