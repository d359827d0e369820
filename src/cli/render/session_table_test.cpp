#include "cli/render/session_table.h"

#include "base/text/json_access.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using std::chrono::milliseconds;

const WallTime kNow(milliseconds(1'763'241'567'000));

SessionInfo session(const std::string& extra) {
  const std::string updated = format_time(kNow - std::chrono::minutes(5));
  return read_session(parse_object(
      R"({"session_id":"ses_1","agent":"demo","workspace":"/home/a/src","updated_at":")" + updated +
      "\"," + extra + "}"));
}

TableStyle style(std::size_t width = kAnyWidth) {
  return {.screen = {.is_terminal = true, .is_colored = false, .width = width},
          .now = kNow,
          .home = "/home/a"};
}

std::string row_of(const std::string& extra, std::size_t width = kAnyWidth) {
  const std::string table = session_table({session(extra)}, style(width));
  return table.substr(table.find('\n') + 1);
}

TEST(SessionTable, AlignsItsColumns) {
  SessionInfo other = session(R"("status":"idle")");
  other.id = "ses_longer";
  other.project = "shop";
  EXPECT_EQ(session_table({session(R"("status":"idle","last_text":"Done.\nBye")"), other}, style()),
            "SESSION     AGENT  STATE  WHERE  AGE  LAST\n"
            "ses_1       demo   idle   ~/src  5m   Done. (+1 line)\n"
            "ses_longer  demo   idle   shop   5m\n");
}

TEST(SessionTable, ShowsTheCurrentActivity) {
  EXPECT_EQ(row_of(R"("status":"running","state":"processing","tool":{"tool_name":"Bash"})"),
            "ses_1    demo   running  ~/src  5m   ⚙ Bash\n");
  EXPECT_EQ(row_of(R"("status":"running","state":"awaiting_input",)"
                   R"("permissions":[{"permission_id":"p","title":"Write a file"}])"),
            "ses_1    demo   asks   ~/src  5m   ? Write a file\n");
  EXPECT_EQ(row_of(R"("status":"failed","reason":"it crashed")"),
            "ses_1    demo   failed  ~/src  5m   it crashed\n");
  EXPECT_EQ(row_of(R"("status":"completed","title":"the title")"),
            "ses_1    demo   ended  ~/src  5m   the title\n");
}

TEST(SessionTable, ShowsHowLongACommandedSessionHasWaited) {
  const std::string since = format_time(kNow - std::chrono::minutes(3));
  const std::string commanded = R"("status":"idle","state":"commanded")";
  EXPECT_EQ(row_of(commanded + R"(,"state_since":")" + since + "\""),
            "ses_1    demo   commanded 3m  ~/src  5m\n");
  EXPECT_EQ(row_of(commanded + R"(,"state_since":null)"), "ses_1    demo   commanded  ~/src  5m\n");
  EXPECT_NE(session_details(session(commanded + R"(,"state_since":")" + since + "\""), style())
                .find("\nsince      " + since + " (3m ago)\n"),
            std::string::npos);
}

TEST(SessionTable, FitsTheTerminalAndHasNoControlCharacters) {
  const std::string row =
      row_of(R"("status":"idle","last_text":"\u001b[2J)" + std::string(200, 'a') + "\"", 60);
  EXPECT_EQ(display_width(row.substr(0, row.size() - 1)), 60U);
  EXPECT_EQ(row.find('\x1b'), std::string::npos);
}

TEST(SessionTable, ALongPathKeepsItsEnd) {
  SessionInfo info = session(R"("status":"idle")");
  info.workspace = "/very/long/path/to/some/project/called/oriel";
  const std::string table = session_table({info}, style());
  EXPECT_NE(table.find(" …/to/some/project/called/oriel "), std::string::npos) << table;
}

TEST(SessionTable, DetailsShowOpenQuestionsAndHowToAnswerThem) {
  const std::string details = session_details(
      session(R"("status":"running","state":"awaiting_input","turns":2,"title":"T",)"
              R"("usage":{"output_tokens":5},"permissions":[{"permission_id":"perm_1",)"
              R"("title":"Write a file","options":[]},{"permission_id":"perm_2",)"
              R"("title":"Color?","questions":[{"text":"Color?","choices":["red"]}]}])"),
      style());
  EXPECT_NE(details.find("session    ses_1\ntitle      T\nagent      demo\nstate      asks\n"),
            std::string::npos)
      << details;
  EXPECT_NE(details.find("\nusage      5 out\n"), std::string::npos) << details;
  EXPECT_NE(details.find("\n? Write a file\n  oriel answer ses_1 perm_1 allow\n"),
            std::string::npos)
      << details;
  EXPECT_NE(details.find("\n? Color?\n    1) red\n  oriel answer ses_1 perm_2 --text ANSWER\n"),
            std::string::npos)
      << details;
}

}  // namespace
}  // namespace oriel
