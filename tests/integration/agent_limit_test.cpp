// Limits of what is read from an agent.

#include "hosted_fixture.h"
#include "session_client.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::HasSubstr;

TEST(AgentLimits, MaxLineBytesFailsTheTaskOfALongerLineAndTheNextOneWorks) {
  HostedFixture fixture({"--max-line-bytes", "16KiB"});
  SessionClient client(fixture.server(), fixture.request());
  const Events events = client.task("longline 20000");
  EXPECT_THAT(to_text(events), HasSubstr("at most 16384 are read"));
  EXPECT_EQ(end_of_task(events), "error") << to_text(events);
  const Events next = client.task("longline 8000");
  EXPECT_EQ(end_of_task(next), "completed") << to_text(next);
}

}  // namespace
}  // namespace oriel
