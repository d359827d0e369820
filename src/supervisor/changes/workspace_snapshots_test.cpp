#include "supervisor/changes/workspace_snapshots.h"

#include "base/temp_directory_testing.h"
#include "posix/process_testing.h"
#include "supervisor/changes/snapshot_record.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <future>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class WorkspaceSnapshotsTest : public testing::Test {
 protected:
  WorkspaceSnapshotsTest() { sh("mkdir w traces secrets && echo secret >secrets/key"); }

  void sh(const std::string& command) {
    const std::string all =
        "export GIT_CONFIG_GLOBAL=/dev/null; cd " + directory_.path().string() + " && " + command;
    ASSERT_EQ(std::system(all.c_str()), 0) << command;
  }

  // Runs on an event loop of its own, with snapshots that an earlier process may have taken.
  template <class T, class Work>
  T with_snapshots(Work work) {
    asio::io_context io(1);
    WorkspaceSnapshots snapshots(io.get_executor(), options_);
    auto result = asio::co_spawn(io, with_deadline(std::chrono::minutes(1), work(snapshots)),
                                 asio::use_future);
    io.run();
    return result.get();
  }

  void start(const std::string& id = "ses_1") {
    with_snapshots<bool>([&](WorkspaceSnapshots& snapshots) -> asio::awaitable<bool> {
      return done(snapshots.take_start(id, workspace_));
    });
  }

  static asio::awaitable<bool> done(asio::awaitable<void> work) {
    co_await std::move(work);
    co_return true;
  }

  Result<Comparison> compare(const std::string& snapshot = {}, const std::string& id = "ses_1") {
    return with_snapshots<Result<Comparison>>(
        [&](WorkspaceSnapshots& snapshots) { return snapshots.compare(id, workspace_, snapshot); });
  }

  std::vector<FileChange> changes() {
    const auto compared = compare();
    EXPECT_TRUE(compared) << compared.error().message;
    if (!compared) return {};
    return with_snapshots<Result<std::vector<FileChange>>>(
               [&](WorkspaceSnapshots& snapshots) { return snapshots.list(*compared); })
        .value();
  }

  std::string patch(std::vector<std::string> paths, std::size_t max_bytes = 1 << 20) {
    const auto compared = compare();
    EXPECT_TRUE(compared) << compared.error().message;
    if (!compared) return {};
    return with_snapshots<Result<std::string>>([&](WorkspaceSnapshots& snapshots) {
             return snapshots.patch(*compared, paths, max_bytes);
           })
        .value();
  }

  TempDirectory directory_;
  const fs::path workspace_ = directory_ / "w";
  SnapshotOptions options_{.directory = directory_ / "snapshots"};
};

TEST_F(WorkspaceSnapshotsTest, WhatHasChangedSinceTheStartIsListedWithItsLines) {
  sh("cd w && printf 'a\\nb\\n' >same && printf '1\\n2\\n3\\n4\\n5\\n' >edited && echo x >gone && "
     "printf 'many\\nlines\\nthat\\nmove\\n' >old");
  start();
  EXPECT_THAT(changes(), IsEmpty());
  sh("cd w && printf '1\\n2\\nthree\\n4\\n5\\n6\\n' >edited && rm gone && mv old new && "
     "mkdir dir && echo hello >'dir/a b' && printf '\\0\\1' >binary");
  const std::vector<FileChange> expected = {
      {.path = "binary", .kind = ChangeKind::kAdded},
      {.path = "dir/a b", .kind = ChangeKind::kAdded, .lines = LineCounts{1, 0}},
      {.path = "edited", .kind = ChangeKind::kModified, .lines = LineCounts{2, 1}},
      {.path = "gone", .kind = ChangeKind::kDeleted, .lines = LineCounts{0, 1}},
      {.path = "new", .old_path = "old", .kind = ChangeKind::kRenamed, .lines = LineCounts{0, 0}}};
  EXPECT_EQ(changes(), expected);
  EXPECT_THAT(patch({"edited"}), HasSubstr("-3\n+three\n 4\n 5\n+6\n"));
  EXPECT_THAT(patch({"edited"}), Not(HasSubstr("hello")));
  EXPECT_THAT(patch({}), HasSubstr("+hello\n"));
  EXPECT_EQ(patch({}, 20).size(), 20U);
}

TEST_F(WorkspaceSnapshotsTest, AnEmptyWorkspaceIsComparedToo) {
  start();
  for (const auto& entry : fs::recursive_directory_iterator(directory_ / "snapshots"))
    EXPECT_NE(entry.path().filename(), "git") << "nothing to store";
  directory_.add("w/first", "1\n");
  ASSERT_EQ(changes().size(), 1U);
  EXPECT_EQ(changes()[0].kind, ChangeKind::kAdded);
}

TEST_F(WorkspaceSnapshotsTest,
       ARepositorysUncommittedWorkBelongsToTheStartAndIgnoredFilesToNothing) {
  sh("cd w && git init --quiet && echo a >file && git add . && git -c user.name=a -c "
     "user.email=a@b "
     "commit --quiet --message first && echo mine >>file && echo build >.gitignore");
  start();
  sh("cd w && mkdir build && echo junk >build/junk && git -c user.name=a -c user.email=a@b "
     "commit --quiet --all --message 'the agent commits'");
  EXPECT_THAT(changes(), IsEmpty());
  sh("cd w && echo more >>file");
  ASSERT_EQ(changes().size(), 1U);
  EXPECT_EQ(changes()[0].lines, (LineCounts{1, 0}));
}

TEST_F(WorkspaceSnapshotsTest, AnEarlierSnapshotIsShownAgainUntilANewerOneIsTaken) {
  start();
  directory_.add("w/a", "1\n");
  const std::string first = compare()->now;
  directory_.add("w/b", "2\n");
  EXPECT_EQ(compare(first)->now, first);
  const std::string second = compare()->now;
  EXPECT_NE(second, first);
  EXPECT_NE(compare(first)->now, first) << "another one has been taken since";
}

TEST_F(WorkspaceSnapshotsTest, OfAWorkspaceThatIsGoneTheLastSnapshotIsShown) {
  start();
  directory_.add("w/a", "1\n");
  ASSERT_TRUE(compare()->is_current);
  fs::remove_all(workspace_);
  const auto compared = compare();
  ASSERT_TRUE(compared) << compared.error().message;
  EXPECT_FALSE(compared->is_current);
  EXPECT_THAT(with_snapshots<Result<std::vector<FileChange>>>([&](WorkspaceSnapshots& snapshots) {
                return snapshots.list(*compared);
              }).value(),
              testing::SizeIs(1));
}

TEST_F(WorkspaceSnapshotsTest, AWorkspaceBeyondTheLimitsIsNotComparedAndSaysWhy) {
  directory_.add("w/a", std::string(600, 'x'));
  directory_.add("w/b", std::string(600, 'x'));
  options_.max_bytes = 1000;
  start();
  EXPECT_THAT(compare().error().message, HasSubstr("larger than 1000"));
  options_.max_bytes = 10'000;
  options_.max_files = 1;
  start("ses_2");
  EXPECT_THAT(compare("", "ses_2").error().message, HasSubstr("too many files"));
  options_.max_bytes = 0;
  start("ses_3");
  EXPECT_THAT(compare("", "ses_3").error().message, HasSubstr("switched off"));
  EXPECT_EQ(compare("", "ses_unknown").error().kind, ErrorKind::kWorkspaceFailed);
}

TEST_F(WorkspaceSnapshotsTest, AFileThatGrewTooLargeIsLeftOutAndNotShownAsDeleted) {
  directory_.add("w/grows", "small\n");
  start();
  directory_.add("w/grows", std::string(kMaxSnapshotFile + 1, 'x'));
  const auto compared = compare();
  ASSERT_TRUE(compared) << compared.error().message;
  EXPECT_THAT(compared->left_out.paths, ElementsAre("grows"));
  EXPECT_EQ(compared->left_out.count, 1U);
  EXPECT_THAT(changes(), IsEmpty());
}

TEST_F(WorkspaceSnapshotsTest, SessionsOfOneWorkspaceHaveTheirOwnStart) {
  start("ses_1");
  directory_.add("w/a", "1\n");
  start("ses_2");
  directory_.add("w/b", "2\n");
  EXPECT_EQ(changes().size(), 2U);
  const auto second = compare("", "ses_2");
  const auto listed = with_snapshots<Result<std::vector<FileChange>>>(
      [&](WorkspaceSnapshots& snapshots) { return snapshots.list(*second); });
  ASSERT_EQ(listed->size(), 1U);
  EXPECT_EQ(listed->front().path, "b");
}

TEST_F(WorkspaceSnapshotsTest, TheLastSessionOfAWorkspaceTakesItsRepositoryAlong) {
  directory_.add("w/a", "1\n");
  start("ses_1");
  start("ses_2");
  const auto forget = [&](const char* id) {
    with_snapshots<bool>([&](WorkspaceSnapshots& snapshots) -> asio::awaitable<bool> {
      return done(snapshots.forget(id, workspace_));
    });
  };
  forget("ses_1");
  EXPECT_FALSE(compare());
  EXPECT_TRUE(compare("", "ses_2"));
  forget("ses_2");
  EXPECT_TRUE(fs::is_empty(directory_ / "snapshots"));
  start("ses_3");
  with_snapshots<bool>([&](WorkspaceSnapshots& snapshots) -> asio::awaitable<bool> {
    return done(snapshots.forget_unknown([](const std::string&) { return false; }));
  });
  EXPECT_TRUE(fs::is_empty(directory_ / "snapshots"));
}

class R_SANDBOX_5_Changes : public WorkspaceSnapshotsTest {
 protected:
  // A repository that runs a program whenever git uses its configuration or attributes.
  void arm() {
    directory_.add("trap", "#!/bin/sh\ntouch " + (directory_ / "traces/ran").string() + "; cat\n");
    fs::permissions(directory_ / "trap", fs::perms::owner_all);
    const std::string trap = (directory_ / "trap").string();
    sh("cd w && git init --quiet && echo text >file && git add . && git -c user.name=a -c "
       "user.email=a@b commit --quiet --message first && echo '* filter=evil diff=evil' "
       ">.gitattributes && git config core.fsmonitor " +
       trap + " && git config filter.evil.clean " + trap + " && git config filter.evil.smudge " +
       trap + " && git config diff.evil.textconv " + trap + " && git config diff.evil.command " +
       trap + " && git config diff.external " + trap +
       " && for hook in reference-transaction post-index-change; do cp " + trap +
       " .git/hooks/$hook; done");
  }

  bool has_sprung() { return !fs::is_empty(directory_ / "traces"); }
};

TEST_F(R_SANDBOX_5_Changes, ARepositoryRunsNothingWhenItIsCompared) {
  arm();
  start();
  sh("cd w && echo more >>file");
  EXPECT_THAT(patch({"file"}), HasSubstr("+more"));
  EXPECT_THAT(patch({}), HasSubstr("+more"));
  EXPECT_FALSE(has_sprung());
  sh("cd w && git diff >/dev/null");
  EXPECT_TRUE(has_sprung()) << "the trap works";
}

TEST_F(R_SANDBOX_5_Changes, NothingOutsideTheWorkspaceIsRead) {
  start();
  sh("cd w && ln -s ../secrets/key file && ln -s ../secrets dir && ln -s /proc/self/environ env && "
     "mkfifo pipe");
  const std::string all = patch({});
  EXPECT_THAT(all, HasSubstr("+../secrets/key")) << "a link is shown as a link";
  EXPECT_THAT(all, Not(HasSubstr("+secret\n")));
  EXPECT_THAT(all, Not(HasSubstr("PATH=")));
}

TEST_F(R_SANDBOX_5_Changes, APathIsNoPatternAndNoOption) {
  start();
  sh("cd w && echo 1 >a && echo 2 >b");
  EXPECT_EQ(patch({"*"}), "");
  EXPECT_EQ(patch({":(glob)*"}), "");
  EXPECT_EQ(patch({"--output=stolen"}), "");
  EXPECT_FALSE(fs::exists("/stolen"));
}

}  // namespace
}  // namespace oriel
