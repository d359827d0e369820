#pragma once
// Base64 as RFC 4648 has it, strictly: every text that decodes is the one that encoding gives.

#include <optional>
#include <string>
#include <string_view>

namespace oriel::http {

// The alphabet that URLs and file names can hold, without padding.
std::string base64url(std::string_view bytes);
std::optional<std::string> from_base64url(std::string_view text);

// The common alphabet, with padding.
std::string base64(std::string_view bytes);
std::optional<std::string> from_base64(std::string_view text);

}  // namespace oriel::http
