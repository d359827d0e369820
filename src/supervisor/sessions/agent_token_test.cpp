#include "supervisor/sessions/agent_token.h"

#include <gmock/gmock.h>

#include <vector>

namespace oriel {
namespace {

using testing::ElementsAre;

TEST(AgentToken, IsIssuedForItsSessionAndRevokedAtItsEnd) {
  std::vector<std::string> calls;
  const TokenIssuer issuer{
      .issue =
          [&](const std::string& session_id) {
            calls.push_back("issue " + session_id);
            return "secret of " + session_id;
          },
      .revoke = [&](const std::string& session_id) { calls.push_back("revoke " + session_id); }};
  {
    const AgentToken token(issuer, "ses_1");
    EXPECT_EQ(token.secret(), "secret of ses_1");
    EXPECT_THAT(calls, ElementsAre("issue ses_1"));
  }
  EXPECT_THAT(calls, ElementsAre("issue ses_1", "revoke ses_1"));
}

}  // namespace
}  // namespace oriel
