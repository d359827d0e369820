#include "supervisor/observers/importer.h"

#include "base/eventually_testing.h"
#include "supervisor/now.h"
#include "supervisor/observers/observer_fixture_testing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using std::chrono::hours;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

class ImporterTest : public ObserverFixture {
 protected:
  ImporterTest() {
    observing_.transcript_roots = {directory_.make("roots")};
    begin();
  }

  ~ImporterTest() override { end(); }

  void begin() {
    observing_.max_imported = options_.max_imported;
    begin_observer(observing_);
    importer_ = std::make_unique<Importer>(shards_[0].executor(), journal_, *observer_, options_);
    wait(importer_->start());
  }

  void end() {
    wait(importer_->stop());
    settle();
    importer_.reset();
    end_observer();
  }

  std::string path(const std::string& name) const {
    return (directory_ / ("roots/" + name + ".jsonl")).string();
  }

  // Adds a file of that age with prompts a minute apart.
  void write(const std::string& name, const std::vector<std::string>& prompts,
             hours age = hours(0)) const {
    std::string text;
    int minute = 0;
    for (const std::string& prompt : prompts)
      text += R"({"type":"user","uuid":"u-)" + prompt + R"(","timestamp":")" +
              format_time(wall_now() - age - hours(1) + std::chrono::minutes(minute++)) +
              R"(","message":{"role":"user","content":")" + prompt + "\"}}\n";
    directory_.add("roots/" + name + ".jsonl", text);
    fs::last_write_time(path(name), fs::file_time_type::clock::now() - age);
  }

  ImportProgress import(ImportRequest request = {}) {
    const auto begun = wait(importer_->begin(std::move(request)));
    EXPECT_TRUE(begun) << begun.error().message;
    return ended();
  }

  ImportProgress ended() {
    ImportProgress progress = wait(importer_->progress());
    while (progress.state == ImportState::kRunning)
      progress = wait(importer_->progress());
    return progress;
  }

  std::vector<std::string> listed() {
    return on_first_shard([this] {
      std::vector<std::string> ids;
      for (const SessionSnapshot& session : sessions_->list({}))
        ids.push_back(session->session_id);
      return ids;
    });
  }

  std::vector<std::string> announced() {
    std::vector<std::string> types;
    for (const RecordPtr& record : wait(journal_.read({})).records)
      types.push_back(record->type);
    return types;
  }

  Result<std::string> hook(const std::string& session_id, const std::string& text) {
    HookEvent hook;
    hook.kind = HookKind::kUserPromptSubmit;
    hook.session_id = session_id;
    hook.transcript_path = path(session_id);
    hook.prompt = text;
    return on_first_shard([this, hook = std::move(hook)] {
      return observer_->take({.hook = hook, .at = now(), .bytes = 100});
    });
  }

  ObserverOptions observing_;
  ImportOptions options_;
  std::unique_ptr<Importer> importer_;
};

TEST_F(ImporterTest, PastSessionsAreListedWithTheirTurnsInOrder) {
  write("s1", {"one", "two"});
  write("s2", {"three"}, hours(24));
  const ImportProgress progress = import();
  EXPECT_EQ(progress.state, ImportState::kDone);
  EXPECT_EQ(progress.files_total, 2U);
  EXPECT_EQ(progress.files_done, 2U);
  EXPECT_EQ(progress.bytes_done, progress.bytes_total);
  EXPECT_EQ(progress.sessions, 2U);
  EXPECT_EQ(progress.turns, 3U);
  EXPECT_THAT(listed(), ElementsAre("s1", "s2"));
  EXPECT_THAT(texts("s1"), ElementsAre("one", "two"));
  EXPECT_THAT(texts("s2"), ElementsAre("three"));
}

TEST_F(ImporterTest, SessionsArePublishedAndTurnsAreNot) {
  write("s1", {"one", "two", "three"});
  import();
  EXPECT_THAT(announced(), ElementsAre("session_imported"));
}

TEST_F(ImporterTest, ASecondImportReadsNothing) {
  write("s1", {"one"});
  import();
  const ImportProgress again = import();
  EXPECT_EQ(again.files_unchanged, 1U);
  EXPECT_EQ(again.sessions, 0U);
  EXPECT_EQ(again.turns, 0U);
  EXPECT_THAT(texts("s1"), ElementsAre("one"));
  EXPECT_THAT(announced(), SizeIs(1));
}

TEST_F(ImporterTest, ARestartKeepsImportedSessionsAndReadsNothingTwice) {
  write("s1", {"one"});
  import();
  end();
  begin();
  EXPECT_THAT(listed(), ElementsAre("s1"));
  EXPECT_EQ(import().files_unchanged, 1U);
  EXPECT_THAT(texts("s1"), ElementsAre("one"));
}

TEST_F(ImporterTest, OldFilesAreLeftOutUnlessRequested) {
  write("s1", {"one"}, hours(24 * 40));
  EXPECT_EQ(import().files_old, 1U);
  EXPECT_THAT(listed(), IsEmpty());
  EXPECT_EQ(import({.folders = {}, .days = 60}).sessions, 1U);
}

TEST_F(ImporterTest, BeyondTheLimitTheNewestSessionsAreImported) {
  end();
  options_.max_imported = 2;
  begin();
  write("s1", {"one"}, hours(30));
  write("s2", {"two"}, hours(20));
  write("s3", {"three"}, hours(10));
  EXPECT_EQ(import().files_left, 1U);
  EXPECT_THAT(listed(), ElementsAre("s3", "s2"));
  write("s4", {"four"});
  import();
  EXPECT_THAT(listed(), ElementsAre("s4", "s3"));
}

TEST_F(ImporterTest, FilesOfOneSessionAreJoined) {
  std::vector<std::string> prompts;
  for (int i = 0; i < 8; ++i) {
    prompts.push_back("prompt-" + std::to_string(i));
    write("folder-" + std::to_string(i) + "/same", {prompts.back()}, hours(8 - i));
  }
  const ImportProgress progress = import();
  EXPECT_EQ(progress.files_done, 8U);
  EXPECT_EQ(progress.files_watched, 0U);
  EXPECT_EQ(progress.bytes_done, progress.bytes_total);
  EXPECT_THAT(listed(), ElementsAre("same"));
  EXPECT_EQ(texts("same"), prompts);
}

TEST_F(ImporterTest, AForbiddenFolderIsRejected) {
  const auto problem = [&](const std::string& folder) {
    const auto begun = wait(importer_->begin({.folders = {folder}, .days = {}}));
    return begun ? "" : std::string(code_of(begun.error().kind));
  };
  EXPECT_EQ(problem(directory_.path().string()), "path_not_allowed");
  EXPECT_EQ(problem("roots"), "path_not_allowed");
  EXPECT_EQ(problem((directory_ / "roots/nowhere").string()), "not_found");
  EXPECT_EQ(wait(importer_->progress()).state, ImportState::kIdle);
}

TEST_F(ImporterTest, OneFileAloneMayBeImported) {
  write("s1", {"one"});
  write("s2", {"two"});
  EXPECT_EQ(import({.folders = {path("s2")}, .days = {}}).files_total, 1U);
  EXPECT_THAT(listed(), ElementsAre("s2"));
}

TEST_F(ImporterTest, AnObservedAgentIsLeftToItsRunner) {
  write("s1", {"one"});
  ASSERT_TRUE(hook("s1", "two"));
  EXPECT_EQ(import().files_watched, 1U);
}

TEST_F(ImporterTest, AHookResumesAnImportedSession) {
  write("s1", {"one"});
  import();
  ASSERT_TRUE(hook("s1", "two"));
  EXPECT_TRUE(eventually([this] { return texts("s1").size() >= 2; }));
  EXPECT_THAT(texts("s1"), ElementsAre("one", "two"));
}

TEST_F(ImporterTest, AHookDuringTheImportOfItsAgentWaitsForTheRelease) {
  const auto claim = on_first_shard([this] { return observer_->claim("s1"); });
  ASSERT_TRUE(claim);
  EXPECT_FALSE(on_first_shard([this] { return observer_->is_wanted("s1"); }));
  ASSERT_TRUE(hook("s1", "hello"));
  EXPECT_TRUE(on_first_shard([this] { return observer_->is_wanted("s1"); }));
  EXPECT_THAT(listed(), IsEmpty());
  on_first_shard([this] {
    observer_->release("s1");
    return true;
  });
  EXPECT_TRUE(eventually([this] { return !listed().empty(); }));
  EXPECT_THAT(listed(), ElementsAre("s1"));
}

TEST_F(ImporterTest, AHostedSessionIsNotImported) {
  write("native-1", {"one"});
  on_first_shard([this] {
    SessionState hosted;
    hosted.session_id = "ses_1";
    hosted.agent_session_id = "native-1";
    sessions_->add(hosted);
    return true;
  });
  EXPECT_EQ(import().files_watched, 1U);
}

TEST_F(ImporterTest, APlanReadsNothing) {
  write("s1", {"one"});
  write("s2", {"two"}, hours(24 * 40));
  const auto plan = wait(importer_->plan({}));
  ASSERT_TRUE(plan);
  ASSERT_THAT(plan->files, SizeIs(1));
  EXPECT_EQ(plan->files_old, 1U);
  EXPECT_FALSE(plan->files[0].is_unchanged);
  EXPECT_THAT(listed(), IsEmpty());
  import();
  EXPECT_TRUE(wait(importer_->plan({}))->files.at(0).is_unchanged);
}

TEST_F(ImporterTest, AnInterruptedImportContinuesAtTheNextStart) {
  for (int i = 0; i < 50; ++i)
    write("s" + std::to_string(i), {"prompt " + std::to_string(i)});
  ASSERT_TRUE(wait(importer_->begin({})));
  end();
  begin();
  ended();
  EXPECT_THAT(listed(), SizeIs(50));
  EXPECT_THAT(announced(), SizeIs(50));
}

TEST_F(ImporterTest, ACancelledImportKeepsStoredTurns) {
  for (int i = 0; i < 200; ++i)
    write("s" + std::to_string(i), {"prompt " + std::to_string(i)});
  ASSERT_TRUE(wait(importer_->begin({})));
  EXPECT_EQ(wait(importer_->begin({})).error().kind, ErrorKind::kImportRunning);
  const ImportProgress cancelled = wait(importer_->cancel());
  EXPECT_EQ(cancelled.state, ImportState::kCancelled);
  EXPECT_THAT(listed(), SizeIs(cancelled.sessions));
  end();
  begin();
  EXPECT_EQ(wait(importer_->progress()).state, ImportState::kIdle);
  EXPECT_EQ(import().state, ImportState::kDone);
  EXPECT_THAT(listed(), SizeIs(200));
}

TEST_F(ImporterTest, StopEndsTheWaitForACancelledImport) {
  for (int i = 0; i < 200; ++i)
    write("s" + std::to_string(i), {"prompt " + std::to_string(i)});
  ASSERT_TRUE(wait(importer_->begin({})));
  wait(importer_->stop());
  EXPECT_EQ(wait(importer_->cancel()).state, ImportState::kRunning);
  EXPECT_EQ(wait(importer_->begin({})).error().kind, ErrorKind::kStopping);
}

TEST_F(ImporterTest, AnEvictedSessionIsImportedAgain) {
  write("s1", {"one"}, hours(5));
  import();
  end();
  options_.max_imported = 1;
  begin();
  write("s2", {"two"});
  import();
  EXPECT_THAT(listed(), ElementsAre("s2"));
  fs::remove(path("s2"));
  EXPECT_EQ(import().sessions, 1U);
}

}  // namespace
}  // namespace oriel
