#include "cli/mcp/mcp_probe.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::Contains;
using testing::Pair;

TEST(McpProbe, IsAStatelessRequestOfItsOwnWithTheToken) {
  const HttpRequest request =
      mcp_probe_request({.url = http::parse_url("http://127.0.0.1:1").value(), .token = "t"});
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.target, "/mcp");
  EXPECT_THAT(request.headers, Contains(Pair("MCP-Protocol-Version", "2026-07-28")));
  EXPECT_THAT(request.headers, Contains(Pair("Mcp-Method", "server/discover")));
  EXPECT_THAT(request.headers, Contains(Pair("Authorization", "Bearer t")));
}

}  // namespace
}  // namespace oriel
