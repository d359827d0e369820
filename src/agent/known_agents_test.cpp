#include "agent/known_agents.h"

#include <gtest/gtest.h>

#include <set>

namespace oriel {
namespace {

TEST(KnownAgents, HaveNamesOfTheirOwnACommandAndAWayToGetThem) {
  std::set<std::string> names;
  for (const AgentSpec& agent : known_agents()) {
    EXPECT_TRUE(names.insert(agent.name).second) << agent.name;
    EXPECT_FALSE(agent.command.empty()) << agent.name;
    EXPECT_NE(how_to_install(agent.name), "") << agent.name;
  }
  EXPECT_EQ(known_agents().front().name, "demo");
  EXPECT_EQ(names.count("droid"), 1U);
  EXPECT_EQ(how_to_install("nobody"), "");
}

TEST(KnownAgents, SeeNoVariableOfOriel) {
  for (const AgentSpec& agent : known_agents()) {
    for (const std::string& variable : agent.pass_env)
      EXPECT_FALSE(variable.starts_with("ORIEL_")) << agent.name;
  }
}

TEST(KnownAgents, HaveNothingWritableInTheHomeButPrivatePartsAndLogins) {
  for (const AgentSpec& agent : known_agents()) {
    EXPECT_TRUE(agent.home_paths.empty()) << agent.name;
    ASSERT_FALSE(agent.home_parts.empty()) << agent.name;
    EXPECT_EQ(agent.home_parts.front().access, HomeAccess::kPrivate) << agent.name;
    for (const HomePart& part : agent.home_parts) {
      const bool is_login = part.access == HomeAccess::kLogin;
      const bool names_a_login = part.path.find("auth") != part.path.npos ||
                                 part.path.find("cred") != part.path.npos ||
                                 part.path.find("accounts") != part.path.npos;
      EXPECT_EQ(is_login, names_a_login) << part.path;
    }
  }
}

}  // namespace
}  // namespace oriel
