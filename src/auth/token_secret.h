#pragma once
// Makes the secrets of access tokens.

#include <string>

namespace oriel {

// "oriel_" and 256 random bits in base64url. The prefix lets secret scanners find leaked tokens.
std::string make_token_secret();

}  // namespace oriel
