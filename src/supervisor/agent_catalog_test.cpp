#include "supervisor/agent_catalog.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::HasSubstr;

AgentSpec spec(std::string name, std::string program) {
  AgentSpec result;
  result.name = std::move(name);
  result.command = {std::move(program)};
  return result;
}

const AgentCatalog kCatalog({spec("cat", "cat"), spec("lost", "/nowhere/at/all")}, "cat");

TEST(AgentCatalog, FindsAnAgentByItsName) {
  EXPECT_EQ(kCatalog.find("cat")->command.front(), "cat");
}

TEST(AgentCatalog, AnUnknownAgentIsAnErrorThatNamesTheOthers) {
  const auto found = kCatalog.find("dog");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::kUnknownAgent);
  EXPECT_THAT(found.error().hint, HasSubstr("cat, lost"));
}

TEST(AgentCatalog, SaysWhichAgentsCannotBeStartedHere) {
  const auto agents = kCatalog.list();
  ASSERT_EQ(agents.size(), 2U);
  EXPECT_EQ(agents[0].problem, "");
  EXPECT_THAT(agents[1].problem, HasSubstr("not installed"));
}

}  // namespace
}  // namespace oriel
