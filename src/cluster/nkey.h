#pragma once
// Keys of NATS users: text in base 32 of a prefix, an Ed25519 key and a checksum.

#include "base/error.h"

#include <string>
#include <string_view>

namespace oriel {

// "SU...": the secret that identifies a user. Empty: the text has no line that begins like one.
std::string find_nkey_seed(std::string_view text);

// "U...": what servers know of the user with this seed. Error: kBadOption.
Result<std::string> public_nkey(std::string_view seed);

}  // namespace oriel
