#include "cli/hooks/hook_request.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Key;
using testing::Not;
using testing::Pair;

const ServerAccess kHere{.url = http::parse_url("http://127.0.0.1:7433").value(), .token = "t"};

TEST(R_TURN_6, AHookIsSentUnchangedToTheUrlOfItsKind) {
  const std::string payload = "{\"session_id\": \"s\",\n \"hook_event_name\":\"PreToolUse\"}\n";
  const auto request = hook_request(kHere, {}, payload, 42);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->method, "POST");
  EXPECT_EQ(request->target, "/api/hooks/pre-tool-use");
  EXPECT_EQ(request->body, payload);
  EXPECT_THAT(request->headers, Contains(Pair("Content-Type", "application/json")));
  EXPECT_THAT(request->headers, Contains(Pair("Authorization", "Bearer t")));
  EXPECT_THAT(request->headers, Contains(Pair("Oriel-Agent-Pid", "42")));
}

TEST(R_TURN_6, WithAKindThePayloadIsNotParsed) {
  const auto request = hook_request(kHere, HookKind::kStop, "garbage", 1);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->target, "/api/hooks/stop");
  EXPECT_EQ(request->body, "garbage");
}

TEST(R_TURN_6, APayloadOfAnUnknownKindIsNotSent) {
  for (const char* payload :
       {"", "garbage", "[]", "{}", R"({"hook_event_name":3})",
        R"({"hook_event_name":"PreCompact"})", R"({"deep":{"hook_event_name":"Stop"}})",
        R"({"hook_event_name":"Stop")"}) {
    EXPECT_FALSE(hook_request(kHere, {}, payload, 1)) << payload;
  }
  EXPECT_THAT(hook_request(kHere, {}, R"({"hook_event_name":"PreCompact"})", 1).error().message,
              HasSubstr("\"PreCompact\""));
}

TEST(R_TURN_6, OnlyAServerOnThisMachineGetsTheProcessId) {
  const auto headers_to = [](const char* url) {
    const ServerAccess server{.url = http::parse_url(url).value(), .token = ""};
    return hook_request(server, HookKind::kStop, "{}", 42)->headers;
  };
  for (const char* here : {"http://127.0.0.1:7433", "http://127.8.9.1", "http://[::1]:7433",
                           "http://localhost:7433", "http://LOCALHOST"})
    EXPECT_THAT(headers_to(here), Contains(Pair("Oriel-Agent-Pid", "42"))) << here;
  for (const char* there : {"https://oriel.example.org", "http://127.evil.example",
                            "http://127.0.0.1.example.org", "http://localhost.example.org"})
    EXPECT_THAT(headers_to(there), Not(Contains(Key("Oriel-Agent-Pid")))) << there;
}

TEST(R_TURN_6, AHugePayloadLosesOnlyItsToolData) {
  const std::string large(kLargeHookBytes, 'x');
  const auto request = hook_request(
      kHere, {},
      R"({"hook_event_name":"PostToolUse","tool_input":{"a":1},"tool_response":{"stdout":")" +
          large + R"("},"tool_use_id":"t"})",
      1);
  EXPECT_EQ(boost::json::parse(request->body),
            boost::json::parse(R"({"hook_event_name":"PostToolUse","tool_input":null,)"
                               R"("tool_response":null,"tool_use_id":"t"})"));
}

}  // namespace
}  // namespace oriel
