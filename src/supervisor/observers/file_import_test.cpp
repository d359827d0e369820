#include "supervisor/observers/file_import.h"

#include "base/temp_directory_testing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const Moment kNow{.wall = parse_time("2026-11-17T00:00:00Z").value(), .steady = {}};

std::string prompt(const std::string& text, const std::string& more = "") {
  return R"({"type":"user","uuid":"u-)" + text + R"(","cwd":"/home/user/shop","timestamp":)" +
         R"("2026-11-16T08:00:00.000Z",)" + more + R"("message":{"role":"user","content":")" +
         text + "\"}}\n";
}

// Keeps the documents that a journal would store.
class FileImportTest : public testing::Test {
 protected:
  std::string add(const std::string& name, std::string_view content) {
    directory_.add(name, content);
    return (directory_ / name).string();
  }

  FoundTranscript found(const std::string& path) const {
    return find_transcripts({path}).files.at(0);
  }

  std::string id_of(const std::string& path) {
    FileImport file(found(path), std::nullopt, {}, redactor_);
    const auto id = file.open(roots_);
    return id ? *id : "error " + std::string(code_of(id.error().kind));
  }

  // Imports the whole file.
  std::vector<ImportStep> import(const std::string& path,
                                 std::optional<ImportedFile> before = std::nullopt) {
    FileImport file(found(path), std::move(before), {}, redactor_);
    const auto id = file.open(roots_);
    EXPECT_TRUE(id);
    if (!id->empty()) {
      ObservedState session;
      session.session_id = *id;
      session.native_ids = {*id};
      if (documents_.contains(observed_document_key(*id)))
        session = parse_observed_document(documents_.at(observed_document_key(*id))).value();
      file.join(session, turns(*id));
    }
    std::vector<ImportStep> steps;
    do {
      auto step = file.next(kNow);
      EXPECT_TRUE(step);
      for (const Document& document : step->documents)
        documents_[document.key] = document.value;
      steps.push_back(*std::move(step));
    } while (!steps.back().is_last);
    return steps;
  }

  std::vector<Turn> turns(const std::string& session_id) const {
    std::vector<Turn> turns;
    for (const auto& [key, value] : documents_) {
      if (key.starts_with(turn_document_prefix(session_id)))
        turns.push_back(parse_turn_document(value).value());
    }
    return turns;
  }

  std::multiset<std::string> texts(const std::string& session_id) const {
    std::multiset<std::string> texts;
    for (const Turn& turn : turns(session_id))
      texts.insert(turn.text);
    return texts;
  }

  TempDirectory directory_;
  TranscriptRoots roots_{{directory_.path().string()}};
  std::shared_ptr<const Redactor> redactor_ = std::make_shared<const Redactor>(
      std::vector<SecretValue>{{.name = "PASSWORD", .value = "swordfish-42"}});
  std::map<std::string, std::string> documents_;
};

TEST_F(FileImportTest, AFileNamesItsSession) {
  EXPECT_EQ(id_of(add("p/s1.jsonl", prompt("hi", R"("sessionId":"of-the-fork",)"))), "s1");
  EXPECT_EQ(id_of(add("c/rollout-2026-x.jsonl",
                      R"({"type":"session_meta","payload":{"id":"c1","cwd":"/w"}})"
                      "\n")),
            "c1");
  EXPECT_EQ(id_of(add("d/x.jsonl", R"({"type":"session_start","id":"d1","cwd":"/w"})"
                                   "\n")),
            "d1");
}

TEST_F(FileImportTest, AFileWithoutASessionHasNoId) {
  EXPECT_EQ(id_of(add("p/agent-1.jsonl", prompt("hi", R"("isSidechain":true,)"))), "");
  EXPECT_EQ(id_of(add("p/empty.jsonl", "")), "");
  EXPECT_EQ(id_of(add("p/garbage.jsonl", std::string("\0\xff\n{\n", 5))), "");
  EXPECT_EQ(id_of(add("p/ses_1.jsonl", prompt("hi"))), "");
  EXPECT_EQ(id_of(add("p/a b.jsonl", prompt("hi"))), "");
}

TEST_F(FileImportTest, TurnsAndPositionAreStoredTogether) {
  const std::string path = add("p/s1.jsonl", prompt("one") + prompt("two") + "{\"half");
  const auto steps = import(path);
  ASSERT_THAT(steps, SizeIs(1));
  EXPECT_EQ(steps[0].turns, 2U);
  EXPECT_THAT(texts("s1"), ElementsAre("one", "two"));
  ASSERT_THAT(steps[0].events, SizeIs(1));
  const auto file = parse_import_document(documents_.at(import_document_key(path))).value();
  EXPECT_EQ(file, steps[0].file);
  EXPECT_EQ(file.offset, (prompt("one") + prompt("two")).size());
  EXPECT_TRUE(file.is_unchanged(found(path)));
  ASSERT_TRUE(steps[0].state);
  EXPECT_EQ(steps[0].state->transcript.position.offset, file.offset);
  EXPECT_EQ(steps[0].state->project_name, "shop");
  EXPECT_EQ(steps[0].state->agent, "claude");
}

TEST_F(FileImportTest, SecretsAreMaskedBeforeTheyAreStored) {
  import(add("p/s1.jsonl", prompt("use swordfish-42 now")));
  for (const auto& [key, value] : documents_)
    EXPECT_EQ(value.find("\"use swordfish-42"), std::string::npos) << key << value;
  EXPECT_EQ(turns("s1").at(0).text, "use [redacted:PASSWORD] now");
}

TEST_F(FileImportTest, OnlyAddedLinesAreRead) {
  const std::string path = add("p/s1.jsonl", prompt("one"));
  const ImportedFile before = import(path).back().file;
  add("p/s1.jsonl", prompt("one") + prompt("two"));
  const auto steps = import(path, before);
  EXPECT_EQ(steps.back().turns, 1U);
  EXPECT_THAT(texts("s1"), ElementsAre("one", "two"));
}

TEST_F(FileImportTest, AFileWithARewrittenFirstLineIsReadFromItsStartWithoutDuplicates) {
  const std::string path = add("p/s1.jsonl", prompt("one") + prompt("two"));
  const ImportedFile before = import(path).back().file;
  add("p/s1.jsonl", "{\"type\":\"summary\",\"summary\":\"A title\"}\n" + prompt("one") +
                        prompt("two") + prompt("three"));
  const auto steps = import(path, before);
  EXPECT_EQ(steps.back().turns, 1U);
  EXPECT_THAT(texts("s1"), ElementsAre("one", "three", "two"));
}

TEST_F(FileImportTest, TheSameFileAgainChangesAndPublishesNothing) {
  const std::string path = add("p/s1.jsonl", prompt("one"));
  import(path);
  const auto steps = import(path);
  EXPECT_EQ(steps.back().turns, 0U);
  EXPECT_THAT(steps.back().events, IsEmpty());
  EXPECT_THAT(texts("s1"), ElementsAre("one"));
}

TEST_F(FileImportTest, ObservedLinesAreNotReadAgain) {
  const std::string path = add("p/s1.jsonl", prompt("one") + prompt("two"));
  ObservedState watched;
  watched.session_id = "s1";
  watched.native_ids = {"s1"};
  watched.turns.count = 1;
  watched.transcript.position = {
      .path = path, .inode = found(path).inode, .offset = prompt("one").size()};
  documents_[observed_document_key("s1")] = to_document(watched);
  EXPECT_EQ(import(path).back().turns, 1U);
  EXPECT_THAT(texts("s1"), ElementsAre("two"));
}

TEST_F(FileImportTest, AFileWithoutTurnsMakesNoSessionAndIsRemembered) {
  const std::string path = add("p/s1.jsonl",
                               "{\"type\":\"summary\",\"summary\":\"A title\"}\n"
                               "{\"type\":\"mode\",\"mode\":\"normal\"}\nnonsense\n");
  const auto steps = import(path);
  EXPECT_FALSE(steps.back().state);
  EXPECT_THAT(steps.back().skipped, SizeIs(1));
  EXPECT_THAT(documents_, SizeIs(1));
  EXPECT_TRUE(steps.back().file.is_unchanged(found(path)));
}

TEST_F(FileImportTest, AFileThatCannotBeOpenedIsAnError) {
  const std::string path = add("p/s1.jsonl", prompt("one"));
  FileImport file(found(path), std::nullopt, {}, redactor_);
  fs::remove(path);
  EXPECT_EQ(file.open(roots_).error().kind, ErrorKind::kNotFound);
}

}  // namespace
}  // namespace oriel
