#pragma once
// Strict base64 (RFC 4648): accepts only the canonical encoding of the decoded bytes.

#include <optional>
#include <string>
#include <string_view>

namespace oriel {

// URL-safe alphabet, without padding.
std::string base64url(std::string_view bytes);
std::optional<std::string> from_base64url(std::string_view text);

// Standard alphabet, with padding.
std::string base64(std::string_view bytes);
std::optional<std::string> from_base64(std::string_view text);

}  // namespace oriel
