#include "agent/known_agents.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>

namespace oriel {
namespace {

namespace fs = std::filesystem;

class FindProgram : public testing::Test {
 protected:
  FindProgram() {
    std::string pattern = (fs::temp_directory_path() / "oriel-programs-XXXXXX").string();
    directory_ = ::mkdtemp(pattern.data());
  }

  ~FindProgram() override { fs::remove_all(directory_); }

  fs::path make(const std::string& name, fs::perms perms) {
    const fs::path file = directory_ / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "#!/bin/sh\n";
    fs::permissions(file, perms);
    return file;
  }

  fs::path directory_;
};

TEST_F(FindProgram, TakesTheFirstExecutableFileOnThePath) {
  make("a/tool", fs::perms::owner_read);
  fs::create_directories(directory_ / "b" / "tool");
  const fs::path wanted = make("c/tool", fs::perms::owner_all);
  make("d/tool", fs::perms::owner_all);
  std::string path;
  for (const char* entry : {"a", "b", "c", "d"})
    path += (directory_ / entry).string() + ":";
  EXPECT_EQ(find_program("tool", path), wanted);
  EXPECT_EQ(find_program("other", path), std::nullopt);
  EXPECT_EQ(find_program("", path), std::nullopt);
  EXPECT_EQ(find_program("tool", ""), std::nullopt);
}

TEST_F(FindProgram, TakesANameWithASlashAsItStands) {
  const fs::path file = make("tool", fs::perms::owner_all);
  EXPECT_EQ(find_program(file.string(), ""), file);
  EXPECT_EQ(find_program((directory_ / "nothing").string(), directory_.string()), std::nullopt);
}

TEST_F(FindProgram, PassesOverEntriesThatAreNotAbsolute) {
  make("tool", fs::perms::owner_all);
  const fs::path before = fs::current_path();
  fs::current_path(directory_);
  const auto found = find_program("tool", "::.:");
  fs::current_path(before);
  EXPECT_EQ(found, std::nullopt);
}

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

}  // namespace
}  // namespace oriel
