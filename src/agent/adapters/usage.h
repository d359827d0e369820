#pragma once
// Reads token usage and cost from an agent's JSON.

#include "base/event/usage.h"

#include <boost/json/value.hpp>

#include <initializer_list>
#include <string_view>
#include <utility>

namespace oriel {

// Each pair is the agent's name of a number and the member that it fills. Other values are ignored.
Usage usage_of(
    const boost::json::value& from,
    std::initializer_list<std::pair<std::string_view, std::optional<std::int64_t> Usage::*>> names);

}  // namespace oriel
