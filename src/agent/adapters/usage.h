#pragma once
// Token usage and cost under the names of UsageReported.

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <initializer_list>
#include <string_view>
#include <utility>

namespace oriel {

// Renames numbers: each pair is the name used by the agent and the name in UsageReported.
boost::json::object usage_of(
    const boost::json::value& from,
    std::initializer_list<std::pair<std::string_view, std::string_view>> names);

// The difference, for agents that report conversation totals.
boost::json::object usage_since(const boost::json::object& before,
                                const boost::json::object& total);

}  // namespace oriel
