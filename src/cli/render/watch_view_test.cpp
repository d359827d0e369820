#include "cli/render/watch_view.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

// The lines for events of the session ses_1 of the project p, at one time.
class WatchViewTest : public testing::Test {
 protected:
  std::string take(const std::string& feed_type, const std::string& members,
                   const std::string& session = "ses_1") {
    return view_.take({.id = "1-e",
                       .event = feed_type,
                       .data = R"({"session_id":")" + session +
                               R"(","project_id":"p","task_id":"t1",)"
                               R"("timestamp":"2026-11-15T21:19:27.042Z",)" +
                               members + "}"},
                      style_);
  }

  std::string take(const std::string& members) { return take("session_event", members); }

  std::string message(const std::string& text, int number = 1) {
    return take(R"("type":"message","role":"assistant","text":")" + text +
                R"(","data":{"message":)" + std::to_string(number) + "}");
  }

  WatchView view_;
  LineStyle style_;
};

const std::string kHead = "21:19:27 p/ses_1  ";
const std::string kCompletion =
    R"("type":"completion","status":"completed","text":"done","data":{"duration_ms":1500})";

TEST_F(WatchViewTest, AMessageIsOneLineOnceItIsComplete) {
  EXPECT_EQ(take(R"("type":"delta","role":"assistant","text":"It","data":{"message":1})"), "");
  EXPECT_EQ(message("It wor"), "");
  EXPECT_EQ(message(R"(It works.\nAll of it.)"), "");
  EXPECT_EQ(message("More.", 2), kHead + "It works. All of it.\n");
  EXPECT_EQ(take(kCompletion), kHead + "More.\n" + kHead + "✓ completed after 1.5s\n");
}

TEST_F(WatchViewTest, AToolIsOneLineWithItsArgumentsDurationAndResult) {
  EXPECT_EQ(take(R"("type":"tool_call","tool_name":"Bash","tool_call_id":"c1",)"
                 R"("text":"{\"command\":\"ls -l\"}")"),
            "");
  const std::string line =
      take(R"("type":"tool_result","tool_name":"Bash","tool_call_id":"c1","status":"ok",)"
           R"("text":"total 12\na","data":{"duration_ms":340})");
  EXPECT_EQ(line.find(kHead + "✓ Bash ls -l"), 0U) << line;
  EXPECT_NE(line.find("340ms"), line.npos) << line;
  EXPECT_NE(line.find("total 12"), line.npos) << line;
}

TEST_F(WatchViewTest, APersonsMessageAndAPermissionAreMarked) {
  EXPECT_EQ(take(R"("type":"message","role":"user","text":"fix it")"), kHead + "› fix it\n");
  EXPECT_EQ(take("permission_requested",
                 R"("type":"permission","status":"pending","text":"Write notes.txt",)"
                 R"("data":{"permission_id":"perm_1","title":"Write notes.txt"})"),
            kHead + "? Write notes.txt\n");
}

TEST_F(WatchViewTest, WhatIsForProgramsHasNoLine) {
  EXPECT_EQ(
      take("state_transition",
           R"("type":"system","text":"","data":{"from_state":"idle","to_state":"commanded"})"),
      "");
  EXPECT_EQ(take(R"("type":"status","status":"running","text":"running")"), "");
}

TEST_F(WatchViewTest, AFailureSaysWhy) {
  EXPECT_EQ(
      take(R"("type":"status","status":"failed","text":"failed","data":{"reason":"it crashed"})"),
      kHead + "✗ the agent failed: it crashed\n");
}

TEST_F(WatchViewTest, SessionsDoNotMix) {
  EXPECT_EQ(message("half"), "");
  EXPECT_EQ(take("session_event", R"("type":"message","role":"user","text":"x")", "ses_2"),
            "21:19:27 p/ses_2  › x\n");
  EXPECT_EQ(take(kCompletion).find(kHead + "half\n"), 0U);
}

TEST_F(WatchViewTest, AnEventOfAServiceIsShownAsItIs) {
  EXPECT_EQ(
      view_.take({.id = "2-e", .event = "deploy", .data = R"({"text":"v2 is live"})"}, style_),
      "--:--:-- deploy       v2 is live\n");
}

TEST_F(WatchViewTest, ALineIsCutAtTheTerminalsWidthAndHasNoControlCharacters) {
  style_.width = 30;
  const std::string line = take(R"("type":"message","role":"user","text":"\u001b[2Jlong enough")");
  EXPECT_EQ(display_width(line.substr(0, line.size() - 1)), 30U) << line;
  EXPECT_EQ(line.find('\x1b'), line.npos);
}

}  // namespace
}  // namespace oriel
