#pragma once
// How long ago something was.

#include "base/time.h"

#include <string>
#include <string_view>

namespace oriel {

// "12s", "5m", "3h", "8d": since that time; empty when it is none.
std::string age_of(std::string_view timestamp, WallTime now);

}  // namespace oriel
