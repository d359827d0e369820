#include "supervisor/changes/recorded_edits.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

SessionEvent event_of(EventPayload payload) {
  SessionEvent event;
  event.payload = std::move(payload);
  return event;
}

SessionEvent call(std::string id, std::string name, std::string input) {
  return event_of(
      event::ToolCall{.id = std::move(id), .name = std::move(name), .input = std::move(input)});
}

SessionEvent result(std::string id, bool is_ok = true) {
  event::ToolResult result;
  result.id = std::move(id);
  result.is_ok = is_ok;
  return event_of(std::move(result));
}

TEST(RecordedEdits, EditsOfKnownAgentsBecomeAPatchOfEachFile) {
  RecordedEdits edits("/w");
  edits.take(
      call("1", "Edit", R"({"file_path":"/w/a.c","old_string":"x\ny","new_string":"x\nz"})"));
  edits.take(result("1"));
  edits.take(call("2", "MultiEdit",
                  R"({"file_path":"/w/a.c","edits":[)"
                  R"({"old_string":"1","new_string":"2"}]})"));
  edits.take(result("2"));
  edits.take(call("3", "Write", R"({"file_path":"/elsewhere/n","content":"one\ntwo\n"})"));
  edits.take(result("3"));
  const std::vector<FileChange> expected = {
      {.path = "/elsewhere/n", .kind = ChangeKind::kAdded, .lines = LineCounts{2, 0}},
      {.path = "a.c", .kind = ChangeKind::kModified, .lines = LineCounts{2, 2}}};
  EXPECT_EQ(edits.files(), expected);
  EXPECT_EQ(edits.patch_of("a.c"),
            "--- a/a.c\n+++ b/a.c\n@@ edit 1 of 2 @@\n x\n-y\n+z\n@@ edit 2 of 2 @@\n-1\n+2\n");
  EXPECT_EQ(edits.patch_of("none"), "");
}

TEST(RecordedEdits, OnlyCallsThatSucceededCount) {
  RecordedEdits edits("/w");
  edits.take(call("1", "Edit", R"({"path":"a","old_str":"x","new_str":"y"})"));
  edits.take(result("1", false));
  edits.take(call("2", "Edit", R"({"path":"b","old_str":"x","new_str":"y"})"));
  EXPECT_THAT(edits.files(), IsEmpty());
}

TEST(RecordedEdits, ThePermissionOfAnAcpAgentShowsTheDiffThatItsCallDoesNot) {
  RecordedEdits edits("/w");
  event::PermissionRequested requested;
  PermissionAsked& asked = requested.permission.asked;
  asked.tool_call_id = "1";
  asked.title = "Write a";
  asked.details = json::parse(
      R"({"content":[{"type":"diff","path":"/w/a","oldText":null,"newText":"new\n"}]})");
  edits.take(call("1", "Write a", "{}"));
  edits.take(event_of(requested));
  edits.take(result("1"));
  ASSERT_THAT(edits.files(), SizeIs(1));
  EXPECT_EQ(edits.files()[0].path, "a");
  EXPECT_EQ(edits.files()[0].kind, ChangeKind::kAdded);
}

TEST(RecordedEdits, ChangesOfCodexAreRead) {
  const auto edits = edits_in("apply_patch", json::parse(R"({"changes":[
      {"path":"a","kind":{"type":"add"},"diff":"1\n2\n"},
      {"path":"b","kind":{"type":"update"},"diff":"@@ -1 +1 @@\n-x\n+y\n"},
      {"path":"c","kind":{"type":"delete"},"diff":"gone\n"}]})"));
  ASSERT_THAT(edits, SizeIs(3));
  EXPECT_EQ(edits[0].hunk, "+1\n+2\n");
  EXPECT_EQ(edits[1].lines, (LineCounts{1, 1}));
  EXPECT_EQ(edits[2].kind, ChangeKind::kDeleted);
}

TEST(RecordedEdits, ArgumentsThatAreNoEditsAreNone) {
  for (const char* text : {"{}", "null", "[]", R"({"command":"ls"})", R"({"path":"a"})",
                           R"({"old_string":"x","new_string":"y"})", R"({"path":1,"content":"x"})",
                           R"({"path":"a","content":"read"})"})
    EXPECT_THAT(edits_in("Read", json::parse(text)), IsEmpty()) << text;
}

}  // namespace
}  // namespace oriel
