#include "agent/sandbox/program_files.h"

#include "base/temp_directory_testing.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class ProgramFiles : public testing::Test {
 protected:
  void program(const std::string& file, const std::string& content) {
    directory_.add(file, content);
    fs::permissions(directory_ / file, fs::perms::owner_all);
  }

  void link(const std::string& file, const std::string& to) {
    fs::create_directories((directory_ / file).parent_path());
    fs::create_symlink(to, directory_ / file);
  }

  Mount shown(const std::string& file) { return show(directory_ / file); }

  Mount linked(const std::string& file, const std::string& to) {
    return {.kind = MountKind::kLink, .target = directory_ / file, .source = directory_ / to};
  }

  std::vector<Mount> find(std::vector<std::string> command) {
    return find_program_files(command, (directory_ / "bin").string(), {show("/usr"), show("/bin")});
  }

  TempDirectory directory_;
};

TEST_F(ProgramFiles, AProgramOfTheSystemNeedsNothing) {
  EXPECT_THAT(find({"/bin/sh", "-c", "exit"}), IsEmpty());
}

TEST_F(ProgramFiles, AProgramElsewhereIsShown) {
  program("bin/agent",
          "\x7f"
          "ELF");
  EXPECT_THAT(find({"agent"}), ElementsAre(shown("bin/agent")));
}

TEST_F(ProgramFiles, APackageOfNpmIsShownWithItsLinkAndItsNode) {
  program("lib/node_modules/@a/agent/cli.js", "#!/usr/bin/env node\nrun()\n");
  program("versions/node-20",
          "\x7f"
          "ELF");
  link("bin/agent", "../lib/node_modules/@a/agent/cli.js");
  link("bin/node", "../versions/node-20");
  EXPECT_THAT(find({"agent", "--acp"}),
              ElementsAre(shown("lib/node_modules"),
                          linked("bin/agent", "lib/node_modules/@a/agent/cli.js"),
                          shown("versions/node-20"), linked("bin/node", "versions/node-20")));
}

TEST_F(ProgramFiles, AScriptThatTheCommandNamesIsShown) {
  program("bin/node",
          "\x7f"
          "ELF");
  program("app/cli.js", "run()");
  EXPECT_THAT(find({"node", (directory_ / "app/cli.js").string(), "/none"}),
              ElementsAre(shown("bin/node"), shown("app/cli.js")));
}

TEST_F(ProgramFiles, AMissingProgramIsNotLookedFor) {
  EXPECT_THAT(find({"no-such-agent"}), IsEmpty());
}

}  // namespace
}  // namespace oriel
