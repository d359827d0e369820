#pragma once
// Ages for people.

#include "base/time.h"

#include <string>
#include <string_view>

namespace oriel {

// "12s", "5m", "3h" or "8d" since that time; empty if it is not a time.
std::string age_of(std::string_view timestamp, WallTime now);

}  // namespace oriel
