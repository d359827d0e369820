#include "cli/commands/search_command.h"

#include "client/scripted_server_testing.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <sstream>

namespace oriel {
namespace {

using testing::HasSubstr;

const WallTime kSearchTime = parse_time("2026-11-19T21:00:00Z").value();

std::string text_of_result(const char* result, bool is_colored = false) {
  return search_result_text(boost::json::parse(result).as_object(), "http://h/",
                            {.is_terminal = true, .is_colored = is_colored}, kSearchTime);
}

TEST(R_SEARCH_6, AResultHasTheTitleWhatWasFoundAndHowToOpenIt) {
  EXPECT_EQ(text_of_result(R"({"title":"Fix the login","agent":"demo","project_id":"shop",
      "type":"message","role":"user","timestamp":"2026-11-19T18:00:00Z","snippet":"Grüße, login",
      "ranges":[[7,12]],"link":"#/sessions/ses_1?at=turn_1"})"),
            "Fix the login  demo \u00b7 shop \u00b7 3h\n"
            "  user: Grüße, login\n"
            "  http://h/#/sessions/ses_1?at=turn_1\n");
}

TEST(R_SEARCH_6, MatchesArePainted) {
  EXPECT_THAT(
      text_of_result(R"({"type":"error","snippet":"Grüße, login","ranges":[[0,5],[7,12]]})", true),
      HasSubstr("error: \x1b[1;33mGrüße\x1b[0m, \x1b[1;33mlogin\x1b[0m"));
}

TEST(R_SEARCH_6, AgentsCannotControlTheTerminal) {
  const std::string text = text_of_result(
      R"({"title":"a\u001b[2Jb","agent":"x\u001b","type":"tool_result","tool_name":"t\u001b",
      "snippet":"\u001b]0;x\u0007 \u202e","ranges":[[0,1],[5,2],[99,100],[0],"x"],"link":"#/\u001b"})");
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_THAT(text, HasSubstr("\\x1b[2J"));
}

TEST(R_SEARCH_6, ATimeIsAbsoluteOrAgo) {
  EXPECT_EQ(search_time("", kSearchTime).value(), "");
  EXPECT_EQ(search_time("2026-11-01T00:00:00Z", kSearchTime).value(), "2026-11-01T00:00:00Z");
  EXPECT_EQ(search_time("2h", kSearchTime).value(), "2026-11-19T19:00:00.000Z");
  EXPECT_EQ(search_time("7d", kSearchTime).value(), "2026-11-12T21:00:00.000Z");
  EXPECT_EQ(search_time("yesterday", kSearchTime).error().kind, ErrorKind::kBadOption);
  EXPECT_FALSE(search_time("9999999d", kSearchTime));
}

TEST(R_SEARCH_6, TheCommandAsksTheServerAndSaysIfThereIsMore) {
  ScriptedServer server({json_answer(R"({"results":[{"title":"T","agent":"demo","type":"error",
      "snippet":"boom","ranges":[[0,4]],"link":"#/sessions/s"}],"has_more":true,"cursor":"x-1",
      "pending_events":3})")});
  const SearchCommandOptions options{
      .server = {.url = http::parse_url(server.url()).value(), .token = {}},
      .parameters = {{"q", "\"exit code\" x*"}, {"agent", ""}, {"limit", "5"}}};
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(search_command(options, {}, out, err), 0);
  EXPECT_EQ(out.str(), "T  demo\n  error: boom\n  " + server.url() +
                           "/#/sessions/s\nThere is more: add words, or raise --limit.\n"
                           "Not searched yet: 3 new events.\n");
  EXPECT_THAT(server.requests().front(),
              HasSubstr("GET /api/search?q=%22exit%20code%22%20x%2A&limit=5 HTTP/1.1"));
}

}  // namespace
}  // namespace oriel
