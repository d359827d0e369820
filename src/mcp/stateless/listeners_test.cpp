#include "mcp/stateless/listeners.h"

#include <gtest/gtest.h>

namespace oriel::mcp {
namespace {

namespace json = boost::json;
using What = Change::What;

Change change(What what, std::string uri = {}) {
  return {.what = what, .uri = std::move(uri), .task = {}};
}

TEST(ListenFilter, WantsWhatWasAskedForAndNothingElse) {
  const auto filter = parse_listen_filter({{"notifications",
                                            {{"toolsListChanged", true},
                                             {"promptsListChanged", false},
                                             {"resourceSubscriptions", {"a://1"}}}}});
  ASSERT_TRUE(filter.has_value());
  EXPECT_TRUE(filter->wants(change(What::kTools)));
  EXPECT_FALSE(filter->wants(change(What::kPrompts)));
  EXPECT_FALSE(filter->wants(change(What::kResources)));
  EXPECT_TRUE(filter->wants(change(What::kResource, "a://1")));
  EXPECT_FALSE(filter->wants(change(What::kResource, "a://2")));
  EXPECT_FALSE(filter->wants(change(What::kTask, "a://1")));
}

TEST(ListenFilter, MalformedOnesAreRefused) {
  EXPECT_FALSE(parse_listen_filter({}));
  EXPECT_FALSE(parse_listen_filter({{"notifications", 1}}));
  EXPECT_FALSE(parse_listen_filter({{"notifications", {{"resourceSubscriptions", "a"}}}}));
  EXPECT_FALSE(parse_listen_filter({{"notifications", {{"resourceSubscriptions", {1}}}}}));
  EXPECT_FALSE(parse_listen_filter(
      {{"notifications", {{"resourceSubscriptions", json::array(1001, "a")}}}}));
}

TEST(Change, SaysWhatChangedInTheProtocolsWords) {
  EXPECT_EQ(notification_of(What::kTools), "notifications/tools/list_changed");
  EXPECT_EQ(notification_of(What::kResource), "notifications/resources/updated");
  EXPECT_EQ(params_of(change(What::kResource, "a://1")).at("uri"), "a://1");
  EXPECT_TRUE(params_of(change(What::kPrompts)).empty());
}

}  // namespace
}  // namespace oriel::mcp
