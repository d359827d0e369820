#include "agent/agent_exit.h"

#include "base/text/utf8.h"

#include <gtest/gtest.h>

#include <csignal>

namespace oriel {
namespace {

AgentExit exit_after(std::string words) {
  return AgentExit{.code = 1, .signal = 0, .cause = "", .last_words = std::move(words)};
}

TEST(AgentExit, SaysHowItEnded) {
  EXPECT_EQ(AgentExit{}.describe(), "exited with code 0");
  AgentExit killed;
  killed.signal = SIGKILL;
  EXPECT_EQ(killed.describe(), "was killed by SIGKILL (signal 9)");
  killed.cause = "closed its output";
  EXPECT_EQ(killed.describe(), "closed its output and was stopped");
}

TEST(AgentExit, EndsWithTheLastLinesItWrote) {
  EXPECT_EQ(exit_after("  \n").describe(), "exited with code 1");
  EXPECT_EQ(exit_after("no licence\n\n").describe(), "exited with code 1; it said: no licence");
  EXPECT_EQ(exit_after("1\n2\n3\n4\n5\n6\n").describe(),
            "exited with code 1; it said: 2\n3\n4\n5\n6");
}

TEST(AgentExit, CutsALongLineToValidText) {
  std::string words;
  for (int i = 0; i < 1000; ++i)
    words += "\xE2\x82\xAC";
  EXPECT_LT(exit_after(words).describe().size(), 1100u);
  EXPECT_TRUE(is_utf8(exit_after(words).describe()));
}

}  // namespace
}  // namespace oriel
