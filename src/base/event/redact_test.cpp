#include "base/event/redact.h"

#include "base/event/event_json.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::Not;

const std::string kSecret = "swordfish-42";
const std::string kMask = "[redacted:PASSWORD]";
const Redactor kRedactor(std::vector<SecretValue>{{.name = "PASSWORD", .value = kSecret}});

TEST(R_TRUTH_3, StringsInJsonAreMaskedHoweverDeep) {
  json::value value = json::parse(R"({"a":["x swordfish-42",{"b":"swordfish-42"}],"n":1})");
  redact(value, kRedactor);
  EXPECT_EQ(json::serialize(value),
            R"({"a":["x [redacted:PASSWORD]",{"b":"[redacted:PASSWORD]"}],"n":1})");
}

TEST(R_TRUTH_3, KeysInJsonAreMaskedAndNoValueIsLost) {
  json::value value =
      json::parse(R"({"a":{"swordfish-42":1,"x":2,"swordfish-42 2":3,"[redacted:PASSWORD]":4}})");
  redact(value, kRedactor);
  const json::object& masked = value.at("a").as_object();
  EXPECT_EQ(masked.size(), 4U);
  EXPECT_EQ(masked.at(kMask), 1);
  EXPECT_EQ(masked.at("x"), 2);
  EXPECT_THAT(json::serialize(value), Not(HasSubstr(kSecret)));
}

PermissionAsked asked() {
  PermissionAsked asked;
  asked.id = kSecret;
  asked.title = "run " + kSecret;
  asked.input = json::object{{"command", "echo " + kSecret}};
  asked.details = json::object{{"content", json::array{json::object{{"diff", "+" + kSecret}}}}};
  asked.options = {{.id = kSecret,
                    .label = "always " + kSecret,
                    .kind = OptionKind::kAllowAlways,
                    .scope = "Bash(login " + kSecret + ")"}};
  asked.questions = {{.text = kSecret + "?", .choices = {kSecret}, .takes_many = false}};
  return asked;
}

TEST(R_TRUTH_3, DetailsOfAPermissionAreMaskedButNotItsIds) {
  AgentEvent event = asked();
  redact(event, kRedactor);
  const auto& masked = std::get<PermissionAsked>(event);
  EXPECT_EQ(masked.id, kSecret);
  EXPECT_EQ(masked.options.front().id, kSecret);
  EXPECT_EQ(masked.title, "run " + kMask);
  EXPECT_EQ(masked.input.at("command").as_string(), "echo " + kMask);
  EXPECT_EQ(masked.details.at("content").at(0).at("diff").as_string(), "+" + kMask);
  EXPECT_EQ(masked.options.front().label, "always " + kMask);
  EXPECT_EQ(masked.options.front().scope, "Bash(login " + kMask + ")");
  EXPECT_EQ(masked.questions.front().text, kMask + "?");
  EXPECT_EQ(masked.questions.front().choices.front(), kMask);
}

TEST(R_TRUTH_3, TextsOfAllEventsOfAnAgentAreMasked) {
  std::vector<AgentEvent> events = {
      TextFinished{.message_id = "1", .text = kSecret},
      ToolCalled{.id = "t", .name = "sh", .input = json::object{{"x", kSecret}}},
      ToolFinished{.id = "t", .is_ok = true, .output = kSecret}, ErrorReported{.message = kSecret},
      NoticeGiven{.text = kSecret}};
  for (AgentEvent& event : events)
    redact(event, kRedactor);
  EXPECT_EQ(std::get<TextFinished>(events[0]).text, kMask);
  EXPECT_EQ(std::get<ToolCalled>(events[1]).input.at("x").as_string(), kMask);
  EXPECT_EQ(std::get<ToolFinished>(events[2]).output, kMask);
  EXPECT_EQ(std::get<ErrorReported>(events[3]).message, kMask);
  EXPECT_EQ(std::get<NoticeGiven>(events[4]).text, kMask);
}

TEST(R_TRUTH_3, WireFormOfARedactedEventHasNoSecret) {
  Turn turn;
  turn.text = kSecret;
  turn.data = ToolQuestion{.tool_name = "Bash",
                           .tool_call_id = {},
                           .input = json::object{{"x", kSecret}},
                           .questions = {{.text = kSecret, .choices = {kSecret}}}};
  const std::vector<EventPayload> payloads = {
      event::UserMessage{.text = kSecret, .request_id = {}, .origin = {}},
      event::ToolCall{.id = "t", .name = "sh", .input = R"({"x":"swordfish-42"})"},
      event::PermissionResolved{
          .permission = {.permission_id = "p",
                         .asked = {.id = "p",
                                   .tool_call_id = {},
                                   .title = kSecret,
                                   .input = nullptr,
                                   .details = {{"rawInput", kSecret}},
                                   .options = {{.id = "o", .label = kSecret, .scope = kSecret}},
                                   .questions = {}},
                         .asked_at = {},
                         .expires_at = {}},
          .status = PermissionStatus::kAnswered,
          .by = {.principal = "ann"},
          .answer = {.option_id = {}, .answers = {kSecret}},
          .reply = {}},
      event::TurnCreated{.turn = turn, .message_index = {}, .is_message = true},
      event::StatusChanged{.status = SessionStatus::kFailed, .reason = kSecret},
      event::Custom{.type = "x", .text = kSecret, .data = json::object{{"x", kSecret}}}};
  for (const EventPayload& payload : payloads) {
    SessionEvent event{.session_id = "ses_1",
                       .project_id = {},
                       .task_id = {},
                       .timestamp = {},
                       .payload = payload};
    redact(event, kRedactor);
    const std::string wire = serialize_body(event);
    EXPECT_THAT(wire, Not(HasSubstr(kSecret)));
    EXPECT_THAT(wire, HasSubstr(kMask));
  }
}

}  // namespace
}  // namespace oriel
