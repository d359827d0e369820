#include "supervisor/sync/workspace_sync.h"

#include "base/temp_directory_testing.h"
#include "posix/process_testing.h"
#include "supervisor/sync/session_repository.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::_;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Key;
using testing::Not;
using testing::Pair;

std::string content_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

// Two nodes and a remote, all in one directory.
class WorkspaceSyncTest : public testing::Test {
 protected:
  WorkspaceSyncTest() { sh("git init --quiet --bare remote && mkdir -p a/workspaces/ses_1"); }

  void sh(const std::string& command) {
    const std::string git = "export GIT_CONFIG_GLOBAL=/dev/null; ";
    ASSERT_EQ(std::system((git + "cd " + directory_.path().string() + " && " + command).c_str()), 0)
        << command;
  }

  SyncPlaces places_of(const std::string& node) const {
    return {.repositories = directory_ / node / "sync",
            .workspaces = directory_ / node / "workspaces"};
  }

  Result<PushedWorkspace> push() { return run_here(a_.push("ses_1", "web", "After the task t1")); }

  Result<fs::path> restore(const PushedWorkspace& pushed) {
    return run_here(b_.restore("ses_1", "web", pushed));
  }

  // What the other node gets.
  fs::path moved() {
    const auto pushed = push();
    EXPECT_TRUE(pushed) << pushed.error().message;
    if (!pushed) return {};
    const auto restored = restore(*pushed);
    EXPECT_TRUE(restored) << restored.error().message;
    return restored ? *restored : fs::path();
  }

  int commits() {
    sh("git -C remote rev-list --count oriel/ses_1 >count");
    return std::stoi(content_of(directory_ / "count"));
  }

  TempDirectory directory_;
  std::vector<ProjectSpec> projects_{{.id = "web",
                                      .workspace = {},
                                      .repository = {},
                                      .agent = {},
                                      .sync_remote = (directory_ / "remote").string()}};
  WorkspaceSync a_{projects_, places_of("a")};
  WorkspaceSync b_{projects_, places_of("b")};
  const fs::path workspace_ = directory_ / "a/workspaces/ses_1";
};

TEST_F(WorkspaceSyncTest, AnotherNodeGetsTheFilesAsTheyWere) {
  directory_.add("a/workspaces/ses_1/src/main.c", "int main;\n");
  directory_.add("a/workspaces/ses_1/line\nand \"quote\" \\", std::string("\0\r\n", 3));
  sh("cd a/workspaces/ses_1 && echo 'echo hi' >run && chmod +x run && ln -s src/main.c link && "
     "touch empty");
  const fs::path moved = this->moved();
  EXPECT_EQ(moved, directory_ / "b/workspaces/ses_1");
  EXPECT_EQ(content_of(moved / "src/main.c"), "int main;\n");
  EXPECT_EQ(content_of(moved / "line\nand \"quote\" \\"), std::string("\0\r\n", 3));
  EXPECT_EQ(fs::read_symlink(moved / "link"), "src/main.c");
  EXPECT_NE(fs::status(moved / "run").permissions() & fs::perms::owner_exec, fs::perms::none);
  EXPECT_EQ(fs::status(moved / "src/main.c").permissions() & fs::perms::owner_exec,
            fs::perms::none);
  EXPECT_TRUE(fs::is_empty(moved / "empty"));
}

TEST_F(WorkspaceSyncTest, ATaskThatChangesFilesAddsACommitAndOneThatDoesNotAddsNone) {
  directory_.add("a/workspaces/ses_1/one", "1");
  directory_.add("a/workspaces/ses_1/two", "2");
  const std::string first = push().value().commit;
  EXPECT_EQ(push().value().commit, first);
  EXPECT_EQ(commits(), 1);
  fs::remove(workspace_ / "one");
  EXPECT_NE(push().value().commit, first);
  EXPECT_EQ(commits(), 2);
  const fs::path moved = this->moved();
  EXPECT_FALSE(fs::exists(moved / "one"));
  EXPECT_EQ(content_of(moved / "two"), "2");
}

TEST_F(WorkspaceSyncTest, AnEmptyWorkspaceCanBeRestored) {
  const fs::path moved = this->moved();
  EXPECT_TRUE(fs::is_directory(moved));
}

TEST_F(WorkspaceSyncTest, WhatGitignoreNamesStaysExceptWhatTheAgentsRepositoryTracks) {
  sh("cd a/workspaces/ses_1 && git init --quiet && echo 'build' >.gitignore && mkdir build && "
     "touch build/junk build/tracked && git add --force build/tracked");
  const fs::path moved = this->moved();
  EXPECT_TRUE(fs::exists(moved / "build/tracked"));
  EXPECT_FALSE(fs::exists(moved / "build/junk"));
}

TEST_F(WorkspaceSyncTest, TheFilesOfAWorktreeAreFoundThroughItsLink) {
  sh("git init --quiet main && cd main && git config user.name a && git config user.email a@b && "
     "echo tracked >.gitignore && touch tracked && git add --force . && "
     "git commit --quiet --message first && rmdir ../a/workspaces/ses_1 && "
     "git worktree add --quiet ../a/workspaces/ses_1");
  EXPECT_TRUE(fs::exists(moved() / "tracked"));
}

TEST_F(WorkspaceSyncTest, ANodeGoesOnWithTheBranchOfAnother) {
  directory_.add("a/workspaces/ses_1/file", "1");
  const fs::path moved = this->moved();
  directory_.add("b/workspaces/ses_1/file", "2");
  const auto again = run_here(b_.push("ses_1", "web", "After the task t2"));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(commits(), 2);
  const auto back = run_here(a_.restore("ses_1", "web", *again));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(content_of(workspace_ / "file"), "2");
}

TEST_F(WorkspaceSyncTest, AnOlderWorkspaceIsKeptBeside) {
  directory_.add("a/workspaces/ses_1/file", "pushed");
  directory_.add("b/workspaces/ses_1/file", "older");
  EXPECT_EQ(content_of(moved() / "file"), "pushed");
  std::size_t kept = 0;
  for (const auto& entry : fs::directory_iterator(directory_ / "b/workspaces"))
    if (content_of(entry.path() / "file") == "older") ++kept;
  EXPECT_EQ(kept, 1U);
}

TEST_F(WorkspaceSyncTest, ARestoredWorkspaceDoesNotShowTheRemote) {
  projects_[0].sync_remote = "file://user:pa55word@localhost" + projects_[0].sync_remote;
  directory_.add("a/workspaces/ses_1/file", "text");
  const fs::path moved = this->moved();
  ASSERT_TRUE(fs::exists(moved / ".git/config"));
  sh("! grep -rq pa55word b && ! grep -q remote b/workspaces/ses_1/.git/config");
}

TEST_F(WorkspaceSyncTest, ARemoteThatIsGoneIsAnErrorThatDoesNotNameIt) {
  projects_[0].sync_remote = (directory_ / "pa55word/gone").string();
  directory_.add("a/workspaces/ses_1/file", "text");
  const auto pushed = push();
  ASSERT_FALSE(pushed);
  EXPECT_THAT(pushed.error().message,
              AllOf(HasSubstr("the remote"), HasSubstr("fatal:"), Not(HasSubstr("pa55word"))));
  projects_[0].sync_remote = (directory_ / "remote").string();
  EXPECT_TRUE(push()) << "the next push catches up";
  EXPECT_EQ(commits(), 1);
}

TEST_F(WorkspaceSyncTest, ACommitThatIsNotOnTheRemoteIsNotRestored) {
  ASSERT_TRUE(push());
  PushedWorkspace other{.commit = std::string(40, 'a'), .time = wall_now()};
  EXPECT_FALSE(restore(other));
  EXPECT_FALSE(fs::exists(directory_ / "b/workspaces/ses_1"));
}

TEST_F(WorkspaceSyncTest, PushesOnlyWhatOrielHasMadeForAProjectWithARemote) {
  projects_.push_back({.id = "other", .workspace = {}, .repository = {}, .agent = {}});
  SessionState session;
  session.session_id = "ses_1";
  session.project_id = "web";
  session.workspace = workspace_;
  EXPECT_TRUE(a_.covers(session));
  EXPECT_FALSE(b_.covers(session));
  EXPECT_TRUE(b_.can_restore(session));
  session.project_id = "other";
  EXPECT_FALSE(a_.covers(session) || b_.can_restore(session));
}

TEST_F(WorkspaceSyncTest, RepositoriesOfUnknownSessionsAreRemoved) {
  ASSERT_TRUE(push());
  run_here(a_.forget_unknown([](const std::string& id) { return id == "ses_1"; }));
  EXPECT_TRUE(fs::exists(directory_ / "a/sync/ses_1.git"));
  run_here(a_.forget_unknown([](const std::string&) { return false; }));
  EXPECT_FALSE(fs::exists(directory_ / "a/sync/ses_1.git"));
}

TEST(PrivateGit, TheUrlIsNoArgumentAndNothingOfOurOwnConfigurationIsUsed) {
  const std::string url = "https://user:pa55word@example.org/x.git";
  const ProcessSpec command =
      private_git_command({.repository = "/r", .work_tree = "/w", .remote = url}, {"push", "sync"},
                          {{"GIT_SSH_COMMAND", "mine"}, {"HOME", "/home/ann"}});
  EXPECT_THAT(command.argv, Not(Contains(HasSubstr("pa55word"))));
  const Environment& variables = command.environment;
  EXPECT_THAT(variables,
              AllOf(Contains(Pair("GIT_DIR", "/r")), Contains(Pair("GIT_WORK_TREE", "/w")),
                    Contains(Pair("GIT_CONFIG_GLOBAL", "/dev/null")), Contains(Pair(_, url)),
                    Contains(Pair(_, "remote.sync.url"))));
  EXPECT_THAT(variables, Not(Contains(Key("GIT_SSH_COMMAND"))));
}

TEST(PushedWorkspace, ADocumentIsReadAsItWasWritten) {
  const PushedWorkspace pushed{.commit = "c0ffee", .time = WallTime(std::chrono::hours(1))};
  EXPECT_EQ(parse_pushed_document(to_pushed_document(pushed)).value(), pushed);
  for (const char* text : {"", "{}", R"({"commit":1,"time":1})", R"({"commit":"a","time":"b"})"})
    EXPECT_EQ(parse_pushed_document(text).error().kind, ErrorKind::kBadDocument) << text;
}

// A workspace in which an agent has left traps.
class R_SANDBOX_5_Sync : public WorkspaceSyncTest {
 protected:
  R_SANDBOX_5_Sync() {
    sh("mkdir secrets traces && echo secret >secrets/key");
    add_trap("trap");
  }

  // A program that leaves a trace.
  void add_trap(const std::string& name) {
    directory_.add(name, "#!/bin/sh\ntouch " + (directory_ / "traces/ran").string() + "; cat\n");
    fs::permissions(directory_ / name, fs::perms::owner_all);
  }

  // A repository that runs the trap whenever git uses its configuration.
  void arm(const std::string& repository) {
    const std::string trap = (directory_ / "trap").string();
    sh("git init --quiet " + repository + " && cd " + repository +
       " && echo text >file && git add . && "
       "git -c user.name=a -c user.email=a@b commit --quiet --message first && "
       "echo '* filter=evil diff=evil merge=evil' >.gitattributes && git config core.fsmonitor " +
       trap + " && git config filter.evil.clean " + trap + " && git config filter.evil.smudge " +
       trap + " && git config core.sshCommand " + trap + " && git config remote.sync.receivepack " +
       trap +
       " && mkdir -p .git/hooks && for hook in pre-commit post-commit pre-push "
       "post-checkout reference-transaction post-index-change; do cp " +
       trap + " .git/hooks/$hook; done");
  }

  bool has_sprung() { return !fs::is_empty(directory_ / "traces"); }
};

TEST_F(R_SANDBOX_5_Sync, TheConfigurationOfAWorkspaceRunsNothing) {
  arm("a/workspaces/ses_1");
  const fs::path moved = this->moved();
  EXPECT_FALSE(has_sprung());
  EXPECT_EQ(content_of(moved / "file"), "text\n");
  EXPECT_THAT(content_of(moved / ".git/config"), Not(HasSubstr("trap")));
  sh("cd a/workspaces/ses_1 && git status >/dev/null");
  EXPECT_TRUE(has_sprung()) << "the trap works";
}

TEST_F(R_SANDBOX_5_Sync, ANestedRepositoryRunsNothingAndItsFilesArePushed) {
  sh("mkdir a/workspaces/ses_1/deep");
  arm("a/workspaces/ses_1/nested");
  arm("a/workspaces/ses_1/deep/nested");
  sh("cd a/workspaces/ses_1 && git init --quiet && git -c core.fsmonitor= add nested 2>/dev/null; "
     "rm -rf ../../../traces/*; mkdir unborn && git init --quiet unborn && touch unborn/new");
  for (int i = 0; i < 2; ++i) {
    const fs::path moved = this->moved();
    EXPECT_FALSE(has_sprung());
    EXPECT_EQ(content_of(moved / "nested/file"), "text\n");
    EXPECT_EQ(content_of(moved / "deep/nested/file"), "text\n");
    EXPECT_TRUE(fs::exists(moved / "unborn/new"));
    EXPECT_FALSE(fs::exists(moved / "nested/.git"));
  }
}

TEST_F(R_SANDBOX_5_Sync, LinksThatLeadOutsideAreNotFollowed) {
  sh("cd a/workspaces/ses_1 && ln -s ../../../secrets/key file && ln -s ../../../secrets dir && "
     "ln -s /proc/self/environ .gitmodules && mkfifo pipe && touch .GIT");
  const fs::path moved = this->moved();
  EXPECT_EQ(fs::read_symlink(moved / "file"), "../../../secrets/key");
  EXPECT_EQ(fs::read_symlink(moved / "dir"), "../../../secrets");
  EXPECT_FALSE(fs::exists(fs::symlink_status(moved / "pipe")));
  sh("! git -C remote grep -q secret oriel/ses_1");
}

// An agent may replace a directory after git has listed it.
TEST_F(R_SANDBOX_5_Sync, ADirectoryThatBecomesALinkIsNotFollowed) {
  sh("mkdir a/workspaces/ses_1/dir && ln -s ../../../secrets a/workspaces/ses_1/link");
  SnapshotStream stream(workspace_, {"link/key", "../../../secrets/key", "/etc/passwd", "dir"},
                        {.reference = "refs/x", .parent = {}, .message = "m", .time = wall_now()},
                        {});
  const std::string text = stream.next().value();
  EXPECT_THAT(text, Not(HasSubstr("M 1")));
  EXPECT_THAT(text, HasSubstr("deleteall\n"));
  EXPECT_EQ(stream.next().value(), "");
  SnapshotStream replaced(workspace_ / "link", {"key"}, {}, {});
  EXPECT_FALSE(replaced.next()) << "the workspace itself has become a link";
}

TEST_F(WorkspaceSyncTest, AWorkspaceThatIsTooLargeIsRejectedBeforeItIsRead) {
  for (const char* name : {"a/workspaces/ses_1/one", "a/workspaces/ses_1/two"})
    directory_.add(name, std::string(2 << 20, 'x'));
  SnapshotStream stream(workspace_, {"one", "two"},
                        {.reference = "refs/x", .parent = {}, .message = "m", .time = wall_now()},
                        {.all_bytes = 3 << 20});
  const auto first = stream.next();
  ASSERT_FALSE(first);
  EXPECT_THAT(first.error().message, HasSubstr("\"two\" makes all files larger than 3MiB"));
}

TEST_F(R_SANDBOX_5_Sync, AFileThatIsTooLargeIsAnErrorThatNamesIt) {
  BlockingThread blocking;
  SessionRepository repository(directory_ / "a/sync/ses_1.git", "ses_1", "", blocking,
                               {.file_bytes = 1000, .all_bytes = 1500});
  const auto commit = [&] { return run_here(repository.commit(workspace_, "m", wall_now())); };
  directory_.add("a/workspaces/ses_1/big", std::string(1001, 'x'));
  const auto big = commit();
  ASSERT_FALSE(big);
  EXPECT_THAT(big.error().message, HasSubstr("\"big\" is larger than 1000"));
  EXPECT_THAT(big.error().hint, HasSubstr(".gitignore"));
  directory_.add("a/workspaces/ses_1/.gitignore", "big\n");
  directory_.add("a/workspaces/ses_1/one", std::string(900, 'x'));
  EXPECT_TRUE(commit());
  directory_.add("a/workspaces/ses_1/two", std::string(900, 'x'));
  const auto all = commit();
  ASSERT_FALSE(all);
  EXPECT_THAT(all.error().message, HasSubstr("makes all files larger than 1500"));
}

}  // namespace
}  // namespace oriel
