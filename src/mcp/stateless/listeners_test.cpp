#include "mcp/stateless/listeners.h"

#include <gtest/gtest.h>

namespace oriel::mcp {
namespace {

namespace json = boost::json;
using What = Change::What;

Change change(What what, std::string uri = {}) {
  return {.what = what, .uri = std::move(uri), .task = {}};
}

boost::system::result<ListenFilter, RpcError> parse(const json::object& params) {
  return parse_listen_filter(params, SubscriptionLimits());
}

json::object subscriptions_to(json::value uris) {
  return {{"notifications", {{"resourceSubscriptions", std::move(uris)}}}};
}

TEST(ListenFilter, WantsWhatWasAskedForAndNothingElse) {
  const auto filter = parse({{"notifications",
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
  EXPECT_FALSE(parse({}));
  EXPECT_FALSE(parse({{"notifications", 1}}));
  EXPECT_FALSE(parse(subscriptions_to("a")));
  EXPECT_FALSE(parse(subscriptions_to(json::array{1})));
}

TEST(ListenFilter, NumberAndLengthOfSubscriptionsAreLimited) {
  EXPECT_TRUE(parse(subscriptions_to(json::array(100, "a"))));
  EXPECT_FALSE(parse(subscriptions_to(json::array(101, "a"))));
  EXPECT_TRUE(parse(subscriptions_to(json::array{std::string(2048, 'a')})));
  EXPECT_FALSE(parse(subscriptions_to(json::array{std::string(2049, 'a')})));
  EXPECT_FALSE(parse({{"notifications", {{"taskIds", json::array(101, "a")}}}}));
}

TEST(Change, SaysWhatChangedInTheProtocolsWords) {
  EXPECT_EQ(notification_of(What::kTools), "notifications/tools/list_changed");
  EXPECT_EQ(notification_of(What::kResource), "notifications/resources/updated");
  EXPECT_EQ(params_of(change(What::kResource, "a://1")).at("uri"), "a://1");
  EXPECT_TRUE(params_of(change(What::kPrompts)).empty());
}

}  // namespace
}  // namespace oriel::mcp
