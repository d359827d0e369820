#include "supervisor/sessions/workspace_retention.h"

#include "base/temp_directory_testing.h"
#include "posix/process_testing.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::hours kMonth{24 * 30};

class WorkspaceRetentionTest : public testing::Test {
 protected:
  // A workspace with a file, of a session that was last used that long ago.
  void add(const std::string& id, SessionStatus status, std::chrono::milliseconds age) {
    directory_.add("workspaces/" + id + "/file", "text");
    add_session(id, status, age);
  }

  void add_session(const std::string& id, SessionStatus status, std::chrono::milliseconds age) {
    SessionState state;
    state.session_id = id;
    state.status = status;
    state.updated_at = wall_now() - age;
    sessions_.add(std::move(state));
  }

  std::size_t remove_old() { return run_here(remove_in(directory_ / "workspaces")); }

  asio::awaitable<std::size_t> remove_in(fs::path workspaces) {
    WorkspaceRetention retention(co_await asio::this_coro::executor, blocking_, sessions_,
                                 projects_, std::move(workspaces), kMonth,
                                 [this] { return clock_ahead_; });
    co_return co_await retention.remove_old(wall_now());
  }

  bool exists(const std::string& id) const {
    return fs::exists(fs::symlink_status(directory_ / "workspaces" / id));
  }

  void sh(const std::string& command) {
    const std::string git = "export GIT_CONFIG_GLOBAL=/dev/null; ";
    ASSERT_EQ(std::system((git + "cd " + directory_.path().string() + " && " + command).c_str()),
              0);
  }

  // The worktree of an ended session.
  void add_worktree(const std::string& id) {
    sh("git init --quiet repository && cd repository && git config user.name a &&"
       " git config user.email a@b && git commit --quiet --allow-empty --message first");
    const std::string repository = (directory_ / "repository").string();
    const fs::path workspace = directory_ / "workspaces" / id;
    ASSERT_TRUE(run_here(make_workspace(workspace, repository, CloneKind::kWorktree, blocking_)));
    projects_.push_back({.id = "web", .workspace = {}, .repository = repository, .agent = {}});
    add_session(id, SessionStatus::kCompleted, 2 * kMonth);
  }

  TempDirectory directory_;
  BlockingThread blocking_;
  SessionRegistry sessions_{RegistryLimits()};
  std::vector<ProjectSpec> projects_;
  std::chrono::milliseconds clock_ahead_{0};
};

TEST_F(WorkspaceRetentionTest, RemovesThatOfASessionThatEndedLongAgo) {
  add("ses_old", SessionStatus::kCompleted, 2 * kMonth);
  EXPECT_EQ(remove_old(), 1U);
  EXPECT_FALSE(exists("ses_old"));
}

TEST_F(WorkspaceRetentionTest, DoesNotFollowAClockThatHasJumped) {
  add("ses_old", SessionStatus::kCompleted, 2 * kMonth);
  directory_.make("workspaces/ses_unlisted");
  fs::last_write_time(directory_ / "workspaces/ses_unlisted",
                      fs::file_time_type::clock::now() - 2 * kMonth);
  clock_ahead_ = kMonth + kMonth / 2;
  EXPECT_EQ(remove_old(), 0U);
  clock_ahead_ = std::chrono::milliseconds(0);
  EXPECT_EQ(remove_old(), 1U);
}

TEST_F(WorkspaceRetentionTest, KeepsThoseOfSessionsThatCanGoOnOrHaveJustEnded) {
  add("ses_idle", SessionStatus::kIdle, 2 * kMonth);
  add("ses_failed", SessionStatus::kFailed, 2 * kMonth);
  add("ses_new", SessionStatus::kCompleted, kMonth / 2);
  EXPECT_EQ(remove_old(), 0U);
  EXPECT_TRUE(exists("ses_idle") && exists("ses_failed") && exists("ses_new"));
}

TEST_F(WorkspaceRetentionTest, GoesByTheDirectoryOnceTheSessionIsNotListed) {
  directory_.add("workspaces/ses_new/file", "text");
  directory_.make("workspaces/ses_old");
  fs::last_write_time(directory_ / "workspaces/ses_old",
                      fs::file_time_type::clock::now() - 2 * kMonth);
  EXPECT_EQ(remove_old(), 1U);
  EXPECT_TRUE(exists("ses_new"));
  EXPECT_FALSE(exists("ses_old"));
}

TEST_F(WorkspaceRetentionTest, TouchesNothingThatIsNotOriels) {
  directory_.add("elsewhere/file", "text");
  directory_.add("workspaces/notes/file", "text");
  fs::create_symlink(directory_ / "elsewhere", directory_ / "workspaces/ses_link");
  add_session("ses_link", SessionStatus::kCompleted, 2 * kMonth);
  fs::last_write_time(directory_ / "workspaces/notes",
                      fs::file_time_type::clock::now() - 2 * kMonth);
  EXPECT_EQ(remove_old(), 0U);
  EXPECT_TRUE(exists("notes") && exists("ses_link"));
  EXPECT_TRUE(fs::exists(directory_ / "elsewhere/file"));
}

TEST_F(WorkspaceRetentionTest, DoesNotFollowLinksInAWorkspace) {
  directory_.add("elsewhere/file", "text");
  add("ses_old", SessionStatus::kCompleted, 2 * kMonth);
  fs::create_symlink(directory_ / "elsewhere", directory_ / "workspaces/ses_old/link");
  EXPECT_EQ(remove_old(), 1U);
  EXPECT_TRUE(fs::exists(directory_ / "elsewhere/file"));
}

TEST_F(WorkspaceRetentionTest, LeavesACleanWorktreeToGitAndKeepsItsBranch) {
  add_worktree("ses_tree");
  EXPECT_EQ(remove_old(), 1U);
  EXPECT_FALSE(exists("ses_tree"));
  sh("git -C repository rev-parse --quiet --verify oriel/ses_tree >/dev/null");
  sh("test $(git -C repository worktree list | wc -l) = 1");
}

TEST_F(WorkspaceRetentionTest, KeepsAWorktreeWithChanges) {
  add_worktree("ses_tree");
  directory_.add("workspaces/ses_tree/new", "text");
  EXPECT_EQ(remove_old(), 0U);
  EXPECT_TRUE(exists("ses_tree"));
}

TEST_F(WorkspaceRetentionTest, KeepsAWorktreeWithoutABranch) {
  add_worktree("ses_tree");
  sh("cd workspaces/ses_tree && git checkout --quiet --detach");
  EXPECT_EQ(remove_old(), 0U);
  EXPECT_TRUE(exists("ses_tree"));
}

TEST_F(WorkspaceRetentionTest, KeepsARepository) {
  add("ses_clone", SessionStatus::kCompleted, 2 * kMonth);
  sh("git init --quiet workspaces/ses_clone");
  EXPECT_EQ(remove_old(), 0U);
  EXPECT_TRUE(exists("ses_clone"));
}

TEST_F(WorkspaceRetentionTest, RemovesAShareAtATime) {
  for (int i = 0; i < 60; ++i)
    add("ses_" + std::to_string(100 + i), SessionStatus::kCompleted, 2 * kMonth);
  EXPECT_EQ(remove_old(), 3U);
}

}  // namespace
}  // namespace oriel
