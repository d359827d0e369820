#include "client/session_api.h"

#include "base/text/json_access.h"
#include "client/scripted_server_testing.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

ServerAccess access_to(const std::string& url) {
  return {.url = http::parse_url(url).value(), .token = ""};
}

const std::string kUnknown =
    json_answer(R"({"error":{"code":"unknown_session","message":"unknown"}})", "404 Not Found");
const std::string kThree = json_answer(
    R"({"sessions":[{"session_id":"ses_ab1"},{"session_id":"ses_ab2"},{"session_id":"ses_c"}]})");

std::string find(const std::string& id) {
  ScriptedServer server({kUnknown, kThree});
  const auto found = find_session(access_to(server.url()), id);
  return found ? text_at(*found, "session_id") : found.error().message + "|" + found.error().hint;
}

TEST(SessionApi, TargetsOmitEmptyParametersAndAreEncoded) {
  EXPECT_EQ(api_target("/api/sessions", {{"agent", ""}, {"workspace", "/a b&c"}, {"x", "1"}}),
            "/api/sessions?workspace=/a%20b%26c&x=1");
  EXPECT_EQ(api_target("/api/sessions", {}), "/api/sessions");
}

TEST(SessionApi, FindsASessionByItsWholeId) {
  ScriptedServer server({json_answer(R"({"session_id":"ses_1"})")});
  const auto found = find_session(access_to(server.url()), "ses_1");
  EXPECT_EQ(text_at(found.value(), "session_id"), "ses_1");
  EXPECT_TRUE(server.requests().at(0).starts_with("GET /api/sessions/ses_1 HTTP/1.1\r\n"));
}

TEST(SessionApi, FindsASessionByAPrefixOfItsId) {
  EXPECT_EQ(find("ses_c"), "ses_c");
  EXPECT_EQ(find("ses_ab2"), "ses_ab2");
}

TEST(SessionApi, ListsMatchingSessions) {
  EXPECT_EQ(find("ses_a"), "2 sessions start with \"ses_a\"|for example ses_ab1, ses_ab2");
  EXPECT_EQ(find("x"), "no session \"x\"|oriel sessions lists them");
}

TEST(SessionApi, AnIdIsNeverPartOfAPath) {
  ScriptedServer server({kThree});
  EXPECT_TRUE(find_session(access_to(server.url()), "../health").has_error());
  EXPECT_TRUE(server.requests().at(0).starts_with(
      "GET /api/sessions?archived=any&limit=1000 HTTP/1.1\r\n"));
}

TEST(SessionApi, ReportsAServerThatIsNotOriel) {
  ScriptedServer server({"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<html>"});
  const auto answer = get_now(access_to(server.url()), "/api/sessions");
  EXPECT_EQ(answer.error().message, server.url() + " does not respond like Oriel");
}

}  // namespace
}  // namespace oriel
