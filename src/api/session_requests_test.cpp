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
          {"agent", "project_id", "workspace", "title", "permissions", "message", "request_id",
           "decision", "option_id", "answers"}};
}

TEST(SessionRequests, AllKeysOfANewSessionAreOptional) {
  ObjectReader reader = reader_of("{}");
  const NewSession wanted = read_new_session(reader);
  EXPECT_EQ(wanted.agent, "");
  EXPECT_EQ(wanted.permissions, std::nullopt);
  EXPECT_FALSE(reader.error());
}

TEST(SessionRequests, ReadsANewSession) {
  ObjectReader reader = reader_of(
      R"({"agent":"a","project_id":"p","workspace":"/w","title":"T t","permissions":"deny",
          "message":"m","request_id":"r"})");
  const NewSession wanted = read_new_session(reader);
  EXPECT_FALSE(reader.error());
  EXPECT_EQ(wanted.agent, "a");
  EXPECT_EQ(wanted.project_id, "p");
  EXPECT_EQ(wanted.workspace, "/w");
  EXPECT_EQ(wanted.title, "T t");
  EXPECT_EQ(wanted.permissions, PermissionMode::kDeny);
  EXPECT_EQ(wanted.message, "m");
  EXPECT_EQ(wanted.request_id, "r");
}

TEST(SessionRequests, RejectsAnUnknownPermissionMode) {
  ObjectReader reader = reader_of(R"({"permissions":"maybe"})");
  read_new_session(reader);
  ASSERT_TRUE(reader.error());
  EXPECT_THAT(reader.error()->message, HasSubstr("ask, allow, deny"));
}

TEST(SessionRequests, ADecisionIsOneOfThreeKinds) {
  ObjectReader allow = reader_of(R"({"decision":"allow"})");
  EXPECT_EQ(read_decision(allow, "ann").is_allowed, true);
  ObjectReader deny = reader_of(R"({"decision":"deny"})");
  EXPECT_EQ(read_decision(deny, "ann").is_allowed, false);
  ObjectReader option = reader_of(R"({"option_id":"tea"})");
  EXPECT_EQ(read_decision(option, "ann").option_id, "tea");
  ObjectReader answers = reader_of(R"({"answers":["red","blue"]})");
  const Decision decision = read_decision(answers, "ann");
  EXPECT_THAT(decision.answers, ElementsAre("red", "blue"));
  EXPECT_EQ(decision.by, "ann");
  for (const ObjectReader* reader : {&allow, &deny, &option, &answers})
    EXPECT_FALSE(reader->error());
}

TEST(SessionRequests, RejectsNoDecisionAndTwo) {
  for (const char* text : {"{}", R"({"decision":"allow","option_id":"tea"})",
                           R"({"option_id":"tea","answers":["red"]})"}) {
    ObjectReader reader = reader_of(text);
    read_decision(reader, "ann");
    EXPECT_TRUE(reader.error()) << text;
  }
}

}  // namespace
}  // namespace oriel
