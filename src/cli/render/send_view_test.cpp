#include "cli/render/send_view.h"

#include "base/event/event_json.h"
#include "base/text/json_access.h"
#include "base/text/json_text.h"
#include "client/session_info.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using std::chrono::milliseconds;

const std::string kErase = "\r\x1b[K";

// A view with a fake clock, and all of its output.
class SendViewTest : public testing::Test {
 protected:
  std::string take(const std::string& event) {
    const std::string said = view_.take(parse_event("", parse_object(event)), now_);
    text_ += said;
    return said;
  }

  std::string tick(milliseconds later) {
    now_ += later;
    return view_.tick(now_);
  }

  static std::string delta(const std::string& text, int message = 1) {
    return R"({"type":"delta","role":"assistant","text":")" + text + R"(","data":{"message":)" +
           std::to_string(message) + "}}";
  }

  static std::string message(const std::string& text, int number = 1) {
    return R"({"type":"message","role":"assistant","text":")" + text + R"(","data":{"message":)" +
           std::to_string(number) + "}}";
  }

  static std::string permission(const std::string& id, const std::string& status) {
    return R"({"type":"permission","status":")" + status + R"(","text":"Write )" + id +
           R"(","data":{"permission_id":")" + id + R"(","title":"Write )" + id +
           R"(","options":[{"option_id":"o1","label":"Once","kind":"allow_once"}]}})";
  }

  void use(SendStyle style) {
    style.session_id = "ses_1";
    view_ = SendView(std::move(style), now_);
  }

  SendView::Time now_{};
  SendView view_{SendStyle{.is_colored = false,
                           .is_live = true,
                           .has_keyboard = true,
                           .width = 80,
                           .session_id = "ses_1"},
                 now_};
  std::string text_;
};

TEST_F(SendViewTest, TextIsNotRepeatedWhenItArrivesWhole) {
  take(delta("Hello "));
  take(message("Hello "));
  take(delta("world"));
  take(message("Hello world"));
  take(R"({"type":"completion","status":"completed","text":"Hello world"})");
  EXPECT_EQ(text_, "Hello world");
}

TEST_F(SendViewTest, TextWithoutPiecesIsShownToo) {
  take(message("All at once"));
  EXPECT_EQ(text_, "All at once");
}

TEST_F(SendViewTest, AnAnswerAtTheEndIsShown) {
  take(R"({"type":"completion","status":"completed","text":"42"})");
  EXPECT_EQ(text_, "42");
}

TEST_F(SendViewTest, ReplacedTextIsShownAgain) {
  take(delta("Good mor"));
  take(message("Hello"));
  EXPECT_EQ(text_, "Good mor\n\n· the answer starts over\n\nHello");
}

TEST_F(SendViewTest, TheUsersOwnMessageIsNotRepeated) {
  EXPECT_EQ(take(R"({"type":"message","role":"user","text":"hi"})"), "");
}

TEST_F(SendViewTest, ThoughtsAreDim) {
  use({.is_colored = true});
  take(R"({"type":"delta","role":"thought","text":"hm"})");
  take(delta("yes"));
  EXPECT_EQ(text_, "\x1b[2mhm\x1b[0m\n\nyes");
}

TEST_F(SendViewTest, TextHasLinesButNoControlCharacters) {
  take(delta(R"(a\nb\u001b[2J\r\n)"));
  EXPECT_EQ(text_, "a\nb\\x1b[2J\n");
}

TEST_F(SendViewTest, AToolCallBecomesOneLineWhenItIsDone) {
  take(delta("Let me look."));
  EXPECT_EQ(take(R"({"type":"tool_call","tool_call_id":"t1","tool_name":"Bash",)"
                 R"("text":"{\"command\":\"ls\"}"})"),
            "\n");
  EXPECT_EQ(take(R"({"type":"tool_result","tool_call_id":"t1","tool_name":"Bash",)"
                 R"("status":"ok","text":"a\nb","data":{"duration_ms":1200}})"),
            "\n✓ Bash ls  1.2s  a (+1 line)\n");
  EXPECT_EQ(take(R"({"type":"tool_result","tool_call_id":"t2","tool_name":"Read",)"
                 R"("status":"error","text":"no such file"})"),
            "✗ Read  0ms  no such file\n");
  EXPECT_EQ(take(delta("Done", 2)), "\nDone");
}

TEST_F(SendViewTest, OneEmptyLineSeparatesTextAndTools) {
  for (const char* end : {"", R"(\n)", R"(\n\n)"}) {
    use({});
    text_.clear();
    take(delta(std::string("Hi") + end));
    take(R"({"type":"tool_result","tool_call_id":"t","tool_name":"Read","status":"ok",)"
         R"("text":"","data":{"duration_ms":1500}})");
    EXPECT_EQ(text_, "Hi\n\n✓ Read  1.5s\n") << end;
  }
  use({});
  text_.clear();
  take(delta("Hi"));
  take(delta(R"(\n)"));
  take(delta(R"(\n)"));
  take(R"({"type":"error","text":"no"})");
  EXPECT_EQ(text_, "Hi\n\n✗ no\n");
}

TEST_F(SendViewTest, TheSpinnerShowsTheTimeAndIsErased) {
  EXPECT_EQ(tick(milliseconds(3100)), "⠋ working 3s");
  EXPECT_EQ(tick(milliseconds(100)), kErase + "⠙ working 3s");
  EXPECT_EQ(take(delta("Hi")), kErase + "Hi");
  EXPECT_EQ(tick(milliseconds(100)), "");
}

TEST_F(SendViewTest, TheSpinnerNamesTheRunningTool) {
  take(R"({"type":"tool_call","tool_call_id":"a","tool_name":"Read","text":"{}"})");
  take(R"({"type":"tool_call","tool_call_id":"b","tool_name":"Bash","text":"\"ls\""})");
  EXPECT_EQ(tick(milliseconds(500)), "⠋ Bash ls  500ms  and 1 more");
}

TEST_F(SendViewTest, CompleteTextGetsALineEndAfterAPause) {
  take(delta("Hi"));
  EXPECT_EQ(tick(milliseconds(5000)), "");
  take(message("Hi"));
  EXPECT_EQ(tick(milliseconds(100)), "");
  EXPECT_EQ(tick(milliseconds(1000)), "\n⠋ working 6s");
}

TEST_F(SendViewTest, ATerminalThatCannotEraseHasNoSpinner) {
  use({.is_live = false});
  EXPECT_EQ(tick(milliseconds(5000)), "");
}

TEST_F(SendViewTest, APermissionIsAskedAndAnswered) {
  take(delta("Now"));
  EXPECT_EQ(take(permission("p1", "pending")),
            "\n\n? Write p1\n    1) Once\n  Allow? [y, n, 1-1] ");
  EXPECT_TRUE(view_.is_asking());
  EXPECT_EQ(tick(milliseconds(100)), "");
  const auto wrong = view_.type("what\n");
  EXPECT_EQ(wrong.text, "  \"what\" is not a possible answer\n  Allow? [y, n, 1-1] ");
  EXPECT_FALSE(wrong.body);
  const auto right = view_.type("y\n");
  EXPECT_EQ(right.permission_id, "p1");
  EXPECT_EQ(json_text(right.body.value()), R"({"decision":"allow"})");
  EXPECT_FALSE(view_.is_asking());
  EXPECT_EQ(take(permission("p1", "allowed")), "");
}

TEST_F(SendViewTest, ALongPermissionIsReadBeforeItIsAllowed) {
  std::string lines;
  for (int i = 0; i < 50; ++i)
    lines += "x\\n";
  take(R"({"type":"permission","status":"pending","text":"Write","data":{"permission_id":"p1",)"
       R"("title":"Write","input":{"content":")" +
       lines + R"("}}})");
  EXPECT_TRUE(text_.ends_with("  11 more lines: m shows them\n  Allow? [m, n] ")) << text_;
  EXPECT_FALSE(view_.type("y\n").body);
  EXPECT_TRUE(view_.type("m\n").text.ends_with("    │ x\n  Allow? [y, n] "));
  EXPECT_TRUE(view_.type("y\n").body);
}

TEST_F(SendViewTest, AnAnswerFromElsewhereWithdrawsTheQuestion) {
  take(permission("p1", "pending"));
  EXPECT_EQ(take(permission("p1", "denied")), "\n  denied elsewhere: Write p1\n");
  EXPECT_FALSE(view_.is_asking());
}

TEST_F(SendViewTest, ShowsWhoAnswered) {
  take(R"({"type":"permission","status":"denied","data":{"title":"A","by":"ann"}})");
  take(R"({"type":"permission","status":"allowed","data":{"title":"B","by":"rule"}})");
  EXPECT_EQ(text_, "  denied by ann: A\n  allowed by the session's rule: B\n");
}

TEST_F(SendViewTest, PermissionsAreAskedOneAfterTheOther) {
  take(permission("p1", "pending"));
  EXPECT_EQ(take(permission("p2", "pending")), "");
  EXPECT_EQ(view_.asked_id(), "p1");
  EXPECT_EQ(view_.type("1\n").text, "? Write p2\n    1) Once\n  Allow? [y, n, 1-1] ");
  EXPECT_EQ(take(permission("p2", "expired")), "\n  expired: Write p2\n");
}

TEST_F(SendViewTest, EventsDuringAQuestionAreShownAboveIt) {
  take(permission("p1", "pending"));
  EXPECT_EQ(take(delta("By the way")), "\n\nBy the way\n  Allow? [y, n, 1-1] ");
  EXPECT_EQ(take(delta(", this")), "\n\n, this\n  Allow? [y, n, 1-1] ");
  EXPECT_EQ(view_.notice("· away"), "\n· away\n  Allow? [y, n, 1-1] ");
}

TEST_F(SendViewTest, WithoutAKeyboardItShowsHowToAnswer) {
  use({.is_live = false, .has_keyboard = false});
  take(permission("p1", "pending"));
  EXPECT_FALSE(view_.is_asking());
  EXPECT_EQ(text_, "? Write p1\n    1) Once\n  oriel answer ses_1 allow (or deny) answers it\n");
}

TEST_F(SendViewTest, ErrorsNoticesAndFailuresAreLines) {
  take(R"({"type":"error","text":"model overloaded"})");
  take(R"({"type":"system","text":"asking again"})");
  take(
      R"({"type":"status","status":"failed","text":"failed","data":{"reason":"it exited with code 1"}})");
  EXPECT_EQ(text_,
            "✗ model overloaded\n· asking again\n✗ the agent failed: it exited with code 1\n");
}

TEST_F(SendViewTest, EventsForProgramsAreNotShown) {
  take(R"({"type":"system","text":"idle -> processing","data":{"from_state":"idle"}})");
  take(R"({"type":"status","status":"running","text":"running"})");
  take(R"({"type":"something_new","text":"x"})");
  EXPECT_EQ(text_, "");
}

TEST_F(SendViewTest, EndsWithDurationAndUsage) {
  take(delta("Hi"));
  take(R"({"type":"completion","status":"completed","text":"Hi","usage":{"output_tokens":7}})");
  now_ += milliseconds(2500);
  EXPECT_EQ(view_.finish(now_),
            "\n\nses_1 · 2.5s · 7 out\ncontinue with: oriel send --session ses_1 MESSAGE\n");
}

TEST_F(SendViewTest, ACancelledTaskIsReported) {
  take(delta("Hi"));
  take(R"({"type":"completion","status":"cancelled","text":"Hi"})");
  EXPECT_EQ(text_, "Hi\n\n· cancelled\n");
}

}  // namespace
}  // namespace oriel
