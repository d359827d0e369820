#pragma once
// How long ago something was.

#include "core/time.h"

#include <optional>
#include <string>
#include <string_view>

namespace oriel {

// What format_time() writes, milliseconds or not; none for anything else.
std::optional<WallTime> parse_time(std::string_view text);

// "12s", "5m", "3h", "8d": since that time; empty when it is none.
std::string age_of(std::string_view timestamp, WallTime now);

}  // namespace oriel
