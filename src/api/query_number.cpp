#include "api/query_number.h"

#include "base/text/quote.h"
#include "http/query.h"

#include <spdlog/fmt/fmt.h>

#include <charconv>

namespace oriel {

Result<std::int64_t> query_number(const http::Request& request, std::string_view name,
                                  std::int64_t otherwise, std::int64_t min, std::int64_t max) {
  const auto text = http::query_value(request, name);
  if (!text) return otherwise;
  std::int64_t value = 0;
  const char* const end = text->data() + text->size();
  const auto [last, problem] = std::from_chars(text->data(), end, value);
  if (problem == std::errc() && last == end && value >= min && value <= max) return value;
  return Error{.kind = ErrorKind::kInvalidParameter,
               .message = fmt::format("{}: {} is not a whole number from {} to {}", name,
                                      quote(*text), min, max),
               .hint = fmt::format("leave it out for {}", otherwise)};
}

}  // namespace oriel
