#include "supervisor/changes/workspace_branch.h"

#include "base/temp_directory_testing.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace oriel {
namespace {

namespace fs = std::filesystem;

class WorkspaceBranchTest : public testing::Test {
 protected:
  void sh(const std::string& command) {
    const std::string all =
        "export GIT_CONFIG_GLOBAL=/dev/null; cd " + directory_.path().string() + " && " + command;
    ASSERT_EQ(std::system(all.c_str()), 0) << command;
  }

  std::string output_of(const std::string& command) {
    sh(command + " >out");
    std::string line;
    std::ifstream file(directory_ / "out");
    std::getline(file, line);
    return line;
  }

  std::optional<WorkspaceBranch> branch(RepositoryLink link = RepositoryLink::kIgnored) {
    return read_branch(directory_ / "w", link);
  }

  static constexpr const char* kCommit =
      " git -c user.name=a -c user.email=a@b commit --quiet --allow-empty --message m";

  TempDirectory directory_;
};

TEST_F(WorkspaceBranchTest, TheBranchAndItsBaseAreThoseOfGit) {
  sh(std::string("git init --quiet --initial-branch main o && cd o &&") + kCommit +
     " && cd .. && git clone --quiet o w && cd w && git checkout --quiet -b topic/one &&" +
     kCommit);
  for (const char* pack : {"true", "git -C w pack-refs --all"}) {
    sh(pack);
    const auto found = branch();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->name, "topic/one");
    EXPECT_EQ(found->head, output_of("git -C w rev-parse HEAD"));
    EXPECT_EQ(found->base, "origin/main");
    EXPECT_EQ(found->base_head, output_of("git -C o rev-parse HEAD"));
  }
}

TEST_F(WorkspaceBranchTest, ADetachedHeadAndAnUnbornBranchAreShownAsSuch) {
  sh("git init --quiet --initial-branch main w");
  EXPECT_EQ(branch()->name, "main");
  EXPECT_EQ(branch()->head, "");
  sh(std::string("cd w &&") + kCommit + " && git checkout --quiet --detach");
  EXPECT_EQ(branch()->name, "");
  EXPECT_EQ(branch()->head.size(), 40U);
}

TEST_F(WorkspaceBranchTest, ADirectoryWithoutARepositoryHasNoBranch) {
  sh("mkdir w");
  EXPECT_FALSE(branch());
}

TEST_F(WorkspaceBranchTest, AWorktreeIsReadOnlyIfItsLinkIsTrusted) {
  sh(std::string("git init --quiet --initial-branch main o && cd o &&") + kCommit +
     " && git worktree add --quiet -b work ../w");
  EXPECT_FALSE(branch());
  const auto found = branch(RepositoryLink::kFollowed);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "work");
  EXPECT_EQ(found->head, output_of("git -C o rev-parse HEAD"));
}

using R_SANDBOX_5_Branch = WorkspaceBranchTest;

TEST_F(R_SANDBOX_5_Branch, LinksAndHostileNamesAreNotFollowed) {
  sh(std::string("git init --quiet --initial-branch main secret && cd secret &&") + kCommit +
     " && cd .. && mkdir w && ln -s ../secret/.git w/.git");
  EXPECT_FALSE(branch()) << "a link to a repository";
  sh("rm w/.git && git init --quiet --initial-branch main w && rm -r w/.git/refs/heads && "
     "ln -s ../../../secret/.git/refs/heads w/.git/refs/heads");
  EXPECT_EQ(branch()->head, "") << "a link to its branches";
  for (const char* head : {"ref: refs/heads/../../../secret", "ref: refs/heads/-x",
                           "ref: /etc/passwd", "ref: refs/heads/a\\nb", "nonsense", ""}) {
    sh(std::string("printf '") + head + "' >w/.git/HEAD");
    EXPECT_FALSE(branch()) << head;
  }
}

}  // namespace
}  // namespace oriel
