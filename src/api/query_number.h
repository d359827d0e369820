#pragma once
// Numbers in the query of a request. Pure.

#include "http/request.h"

#include <cstdint>
#include <string_view>

namespace oriel {

// A whole number from the query, `otherwise` if absent. An error names the parameter and its range.
Result<std::int64_t> query_number(const http::Request& request, std::string_view name,
                                  std::int64_t otherwise, std::int64_t min, std::int64_t max);

}  // namespace oriel
