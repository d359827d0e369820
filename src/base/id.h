#pragma once
// Names for things: unguessable ones that Oriel gives, and the rule for those that others choose.

#include <string>
#include <string_view>

namespace oriel {

constexpr std::size_t kRandomIdLength = 16;
constexpr std::size_t kMaxNameLength = 128;

// 16 characters of 0-9a-z without i, l, o, u: 80 bits from the kernel's random source.
std::string random_id();

// True for what random_id() may return.
bool is_random_id(std::string_view text);

// A name that others choose for a project, session or event type: 1 to 128 of A-Z a-z 0-9 . _ : -
// None of these can break an SSE line, a URL, a file name or a NATS token apart.
bool is_name(std::string_view text);

}  // namespace oriel
