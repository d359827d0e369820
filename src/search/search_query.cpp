#include "search/search_query.h"

#include "base/id.h"
#include "base/text/quantity.h"
#include "base/text/quote.h"

#include <algorithm>
#include <limits>

namespace oriel {

std::string format_search_cursor(const SearchCursor& cursor) {
  return cursor.generation + "-" + std::to_string(cursor.before);
}

SearchCursor cursor_after(const SearchResults& results, std::size_t count) {
  const bool is_entry = count > 0 && results.hits[count - 1].id > 0;
  return {
      .generation = results.generation,
      .before = is_entry ? results.hits[count - 1].id : std::numeric_limits<std::int64_t>::max()};
}

Result<SearchCursor> parse_search_cursor(std::string_view text) {
  const std::size_t dash = std::min(text.find('-'), text.size());
  const auto before = parse_number(text.substr(std::min(dash + 1, text.size())));
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!is_random_id(text.substr(0, dash)) || !before || *before > kMax) {
    return Error{.kind = ErrorKind::kInvalidCursor,
                 .message = "cursor: " + quote(text) + " is not a cursor of a search",
                 .hint = "pass the cursor of the previous result, or none"};
  }
  return SearchCursor{.generation = std::string(text.substr(0, dash)),
                      .before = static_cast<std::int64_t>(*before)};
}

}  // namespace oriel
