#pragma once
// Unguessable ids made by Oriel, and the syntax of names chosen by clients.

#include <string>
#include <string_view>

namespace oriel {

constexpr std::size_t kRandomIdLength = 16;
constexpr std::size_t kMaxNameLength = 128;

// 16 characters of 0-9a-z without i, l, o, u: 80 bits from the kernel's random source.
std::string random_id();

// True if random_id() can return this text.
bool is_random_id(std::string_view text);

// A name that others choose for a project, session or event type: 1 to 128 of A-Z a-z 0-9 . _ : -
// All of these are safe in an SSE line, a URL, a file name and a NATS token.
bool is_name(std::string_view text);

}  // namespace oriel
