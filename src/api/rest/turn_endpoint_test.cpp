#include "api/rest/turn_endpoint.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

Result<TurnPageQuery> parse_page_query(std::vector<std::pair<std::string, std::string>> query) {
  http::Request request;
  request.query = std::move(query);
  return parse_turn_page(request);
}

TEST(TurnEndpoint, ParsesCursorAndLimit) {
  EXPECT_EQ(parse_page_query({})->limit, 100U);
  EXPECT_FALSE(parse_page_query({})->after || parse_page_query({})->before);
  const auto page = parse_page_query({{"after", "1794777567042-17"}, {"limit", "5"}});
  EXPECT_EQ(page->limit, 5U);
  EXPECT_EQ(page->after->ordinal, 17U);
  EXPECT_EQ(format_turn_key(*parse_page_query({{"before", "5-1"}})->before), "5-1");
}

TEST(TurnEndpoint, NamesTheMalformedParameter) {
  const auto message = [](const auto& query) { return parse_page_query(query).error().message; };
  using Query = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(message(Query{{"after", "x"}}), "after: \"x\" is not a cursor of a turn");
  EXPECT_EQ(message(Query{{"before", "5"}}), "before: \"5\" is not a cursor of a turn");
  EXPECT_EQ(message(Query{{"after", "1-1"}, {"before", "2-2"}}),
            "after and before exclude each other");
  for (const char* limit : {"0", "1001", "-1", "x", ""})
    EXPECT_FALSE(parse_page_query({{"limit", limit}})) << limit;
  EXPECT_FALSE(parse_page_query({{"offset", "1"}}));
}

}  // namespace
}  // namespace oriel
