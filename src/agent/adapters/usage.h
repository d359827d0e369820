#pragma once
// What a task costs, in one set of names: those of UsageReported.

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <initializer_list>
#include <string_view>
#include <utility>

namespace oriel {

// The numbers that an agent calls by the first name of each pair, under the second.
boost::json::object usage_of(
    const boost::json::value& from,
    std::initializer_list<std::pair<std::string_view, std::string_view>> names);

// For agents that count a whole conversation: what came to `before` since.
boost::json::object usage_since(const boost::json::object& before,
                                const boost::json::object& total);

}  // namespace oriel
