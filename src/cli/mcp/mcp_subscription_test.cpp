#include "cli/mcp/mcp_subscription.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kStart =
    R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{}})";

McpSubscription subscription(const std::string& notifications) {
  return McpSubscription(
      read_mcp_line(R"({"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"_meta":)"
                    R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28"},"notifications":)" +
                    notifications + "}}")
          .value());
}

TEST(McpSubscription, ForwardsTheFirstAcknowledgementAndAllChanges) {
  McpSubscription open = subscription("{}");
  EXPECT_EQ(open.replace(kStart), std::nullopt);
  for (const char* message : {R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})",
                              R"({"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"no"}})",
                              R"({"jsonrpc":"2.0","id":8,"result":{}})", "nonsense"})
    EXPECT_EQ(open.replace(message), std::nullopt) << message;
}

TEST(McpSubscription, ReportsWhatMayHaveChangedBetweenTwoStreams) {
  McpSubscription open = subscription(
      R"({"resourcesListChanged":true,"toolsListChanged":true,"resourceSubscriptions":["a","b"]})");
  open.replace(kStart);
  const std::string meta = R"("_meta":{"io.modelcontextprotocol/subscriptionId":7}}})";
  const std::string updated =
      R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":)";
  EXPECT_THAT(
      open.replace(kStart).value(),
      ElementsAre(
          updated + R"("a",)" + meta, updated + R"("b",)" + meta,
          R"({"jsonrpc":"2.0","method":"notifications/resources/list_changed","params":{)" + meta));
  McpSubscription other = subscription(R"({"toolsListChanged":true})");
  other.replace(kStart);
  EXPECT_THAT(other.replace(kStart).value(), IsEmpty());
}

TEST(McpSubscription, DropsTheResultWithWhichTheServerEndsAStream) {
  EXPECT_THAT(
      subscription("{}").replace(R"({"jsonrpc":"2.0","id":7,"result":{"resultType":"complete"}})"),
      testing::Optional(IsEmpty()));
}

}  // namespace
}  // namespace oriel
