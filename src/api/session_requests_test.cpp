#include "api/session_requests.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;

ObjectReader reader_of(std::string_view text) {
  return {json::parse(text).as_object(),
          {"agent", "project_id", "workspace", "node", "title", "permissions", "message",
           "request_id", "decision", "option_id", "answers"}};
}

TEST(SessionRequests, AllKeysOfANewSessionAreOptional) {
  ObjectReader reader = reader_of("{}");
  const NewSession wanted = read_new_session(reader);
  EXPECT_EQ(wanted.agent, "");
  EXPECT_EQ(wanted.permissions, std::nullopt);
  EXPECT_FALSE(reader.error());
}

TEST(SessionRequests, TitleIsAtMostOneKibibyte) {
  const auto error_for = [](std::size_t bytes) {
    ObjectReader reader = reader_of(R"({"title":")" + std::string(bytes, 't') + R"("})");
    read_new_session(reader);
    return reader.error().value_or(Error{}).message;
  };
  EXPECT_EQ(error_for(1024), "");
  EXPECT_EQ(error_for(1025), "title: exceeds 1024 bytes");
}

TEST(R_AUTH_3_Agents, CommandLineIsForThoseWhoMayWrite) {
  AgentInfo agent;
  agent.spec.command = {"agent", "--key", "secret"};
  Principal reader;
  reader.scopes = {Scope::kRead};
  EXPECT_FALSE(to_json(agent, reader).contains("command"));
  reader.scopes.insert(Scope::kStart);
  EXPECT_TRUE(to_json(agent, reader).contains("command"));
}

TEST(SessionRequests, ReadsANewSession) {
  ObjectReader reader = reader_of(
      R"({"agent":"a","project_id":"p","workspace":"/w","node":"n","title":"T t",
          "permissions":"deny","message":"m","request_id":"r"})");
  const NewSession wanted = read_new_session(reader);
  EXPECT_FALSE(reader.error());
  EXPECT_EQ(wanted.agent, "a");
  EXPECT_EQ(wanted.project_id, "p");
  EXPECT_EQ(wanted.workspace, "/w");
  EXPECT_EQ(wanted.node, "n");
  EXPECT_EQ(wanted.title, "T t");
  EXPECT_EQ(wanted.permissions, PermissionMode::kDeny);
  EXPECT_EQ(wanted.message, "m");
  EXPECT_EQ(wanted.request_id, "r");
}

TEST(SessionRequests, RejectsAWorkspaceWithNul) {
  ObjectReader reader = reader_of(R"({"workspace":"/srv/web\u0000x/../../home"})");
  read_new_session(reader);
  ASSERT_TRUE(reader.error());
  EXPECT_THAT(reader.error()->message, HasSubstr("workspace: "));
}

TEST(SessionRequests, RejectsAnUnknownPermissionMode) {
  ObjectReader reader = reader_of(R"({"permissions":"maybe"})");
  read_new_session(reader);
  ASSERT_TRUE(reader.error());
  EXPECT_THAT(reader.error()->message, HasSubstr("ask, allow, deny"));
}

TEST(SessionRequests, ADecisionIsOneOfThreeKinds) {
  ObjectReader allow = reader_of(R"({"decision":"allow"})");
  EXPECT_EQ(read_decision(allow).is_allowed, true);
  ObjectReader deny = reader_of(R"({"decision":"deny"})");
  EXPECT_EQ(read_decision(deny).is_allowed, false);
  ObjectReader option = reader_of(R"({"option_id":"tea"})");
  EXPECT_EQ(read_decision(option).option_id, "tea");
  ObjectReader answers = reader_of(R"({"answers":["red","blue"]})");
  const Decision decision = read_decision(answers);
  EXPECT_THAT(decision.answers, ElementsAre("red", "blue"));
  for (const ObjectReader* reader : {&allow, &deny, &option, &answers})
    EXPECT_FALSE(reader->error());
}

TEST(SessionRequests, RejectsNoDecisionAndTwo) {
  for (const char* text : {"{}", R"({"decision":"allow","option_id":"tea"})",
                           R"({"option_id":"tea","answers":["red"]})"}) {
    ObjectReader reader = reader_of(text);
    read_decision(reader);
    EXPECT_TRUE(reader.error()) << text;
  }
}

}  // namespace
}  // namespace oriel
