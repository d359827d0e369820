#include "base/event/event_json.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <set>
#include <vector>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr WallTime kTime{std::chrono::milliseconds{1'794'777'567'042}};

std::string json_of(const SessionEvent& event) {
  return event_json(0, serialize_body(event));
}

std::vector<std::string> keys_of(const std::string& json) {
  std::vector<std::string> keys;
  const boost::json::value parsed = boost::json::parse(json);
  for (const auto& member : parsed.as_object())
    keys.emplace_back(member.key());
  return keys;
}

SessionEvent event_with(EventPayload payload) {
  SessionEvent event;
  event.timestamp = kTime;
  event.payload = std::move(payload);
  return event;
}

TEST(R_SHAPE_1, EventHasItsSixKeysInOrderThoughEmpty) {
  EXPECT_EQ(json_of(event_with(event::Custom{.type = "status", .text = {}, .data = {}})),
            R"({"index":0,"type":"status","text":"","tool_name":"","role":"","session_id":"",)"
            R"("timestamp":"2026-11-15T21:19:27.042Z"})");
}

TEST(R_SHAPE_1, OptionalKeysFollowInOrder) {
  SessionEvent call = event_with(event::ToolCall{.id = "c", .name = "ls", .input = "{}"});
  call.project_id = "p";
  call.task_id = "t";
  EXPECT_THAT(keys_of(json_of(call)),
              ElementsAre("index", "type", "text", "tool_name", "role", "session_id", "timestamp",
                          "project_id", "task_id", "tool_call_id", "status"));
  event::Completion completion;
  completion.usage.input_tokens = 3;
  EXPECT_THAT(keys_of(json_of(event_with(completion))),
              ElementsAre("index", "type", "text", "tool_name", "role", "session_id", "timestamp",
                          "status", "usage", "data"));
}

TEST(R_SHAPE_1, EventCarriesWhatItWasGiven) {
  const std::string output = "line\n\"quoted\" \\ \x01 \xC3\xA4";
  SessionEvent event = event_with(event::ToolResult{
      .id = "c", .name = "grep", .is_ok = false, .output = output, .duration = {}});
  event.session_id = "s-1";
  const std::string json = event_json(18446744073709551615ULL, serialize_body(event));
  const boost::json::value parsed = boost::json::parse(json);
  EXPECT_EQ(parsed.at("index").to_number<std::uint64_t>(), 18446744073709551615ULL);
  EXPECT_EQ(parsed.at("text").as_string(), output);
  EXPECT_EQ(parsed.at("tool_name").as_string(), "grep");
  EXPECT_EQ(parsed.at("session_id").as_string(), "s-1");
  const event::Custom null{.type = "t", .text = {}, .data = boost::json::value(nullptr)};
  EXPECT_TRUE(boost::json::parse(json_of(event_with(null))).at("data").is_null())
      << "null is data too";
}

TEST(R_SHAPE_1, EventIsOneLine) {
  const event::Custom custom{
      .type = "message", .text = "a\nb\r\nc", .data = boost::json::value{{"k\n", "v\r"}}};
  EXPECT_THAT(json_of(event_with(custom)), Not(testing::AnyOf(HasSubstr("\n"), HasSubstr("\r"))));
}

TEST(R_SHAPE_3, TimestampOfAnEventIsRfc3339WithMilliseconds) {
  EXPECT_THAT(serialize_body(event_with(event::SessionResumed{})),
              HasSubstr(R"("timestamp":"2026-11-15T21:19:27.042Z")"));
}

// One event of every payload, each member set.
std::vector<EventPayload> every_payload() {
  const TurnOrigin origin{
      .source = TurnSource::kUpload,
      .said_at = kTime,
      .files = {{.file_id = "f1", .name = "a.png", .type = "image/png", .size = 12}}};
  PendingPermission permission;
  permission.permission_id = "perm_1";
  permission.asked = {.id = "perm_1",
                      .tool_call_id = "t1",
                      .title = "Run ls?",
                      .input = boost::json::object{{"command", "ls"}},
                      .details = boost::json::object{{"kind", "execute"}},
                      .options = {{.id = "y",
                                   .label = "Yes",
                                   .kind = OptionKind::kAllowAlways,
                                   .scope = "every ls"}},
                      .questions = {{.text = "Which?", .choices = {"a", "b"}, .takes_many = true}}};
  permission.asked_at = kTime;
  permission.expires_at = kTime + std::chrono::minutes(1);
  Usage usage;
  usage.output_tokens = 7;
  Turn turn;
  turn.turn_id = "turn_1";
  turn.session_id = "ses_1";
  turn.project_id = "web";
  turn.task_id = "task_1";
  turn.actor = TurnActor::kAgent;
  turn.intent = TurnIntent::kQuestion;
  turn.text = "Which?";
  turn.timestamp = kTime;
  turn.source = TurnSource::kHook;
  turn.entry_id = "uuid";
  turn.ordinal = 17;
  turn.files = origin.files;
  turn.data = ToolQuestion{.tool_name = "Bash", .tool_call_id = "t1", .input = {}, .questions = {}};
  Turn detected = turn;
  detected.text.clear();  // the event does not repeat it
  const std::chrono::milliseconds took{15};
  return {
      event::StatusChanged{.status = SessionStatus::kFailed, .reason = "it died"},
      event::UserMessage{.text = "hi", .request_id = "r1", .origin = origin, .by = "ann"},
      event::AssistantMessage{.number = 2, .text = "hello"},
      event::AssistantDelta{.number = 2, .text = "he"},
      event::ThoughtDelta{.text = "hm"},
      event::ToolCall{.id = "t1", .name = "ls", .input = "{}"},
      event::ToolResult{.id = "t1", .name = "ls", .is_ok = false, .output = "no", .duration = took},
      event::PermissionRequested{.permission = permission},
      event::PermissionResolved{
          .permission = permission,
          .status = PermissionStatus::kAnswered,
          .by = {.principal = "ann"},
          .answer = {.option_id = "y", .answers = {"a"}},
          .reply =
              event::Reply{.turn_id = "turn_2", .text = "a", .request_id = "r2", .origin = origin}},
      event::Completion{.outcome = TaskEnd::kCancelled,
                        .text = "done",
                        .detail = "why",
                        .usage = usage,
                        .duration = took,
                        .by = "ann"},
      event::TaskError{.message = "no"},
      event::Notice{.text = "compacting"},
      event::AgentReady{.version = "droid 1.2", .agent_session_id = "conv"},
      event::SessionCreated{
          .agent = "demo", .title = "tea", .workspace = "/w", .is_observed = false, .by = "ann"},
      event::Audit{
          .action = AuditAction::kEnd, .by = "ann", .address = "10.0.0.7", .session_id = "ses_1"},
      event::Audit{.action = AuditAction::kTokenRevoke,
                   .by = "local",
                   .address = "command line",
                   .session_id = {},
                   .refusal = {},
                   .token = "ci"},
      event::Audit{.action = AuditAction::kLink,
                   .by = "bob",
                   .address = "::1",
                   .session_id = {},
                   .refusal = ErrorKind::kNotAllowed},
      event::SessionCreated{.agent = "claude", .title = {}, .workspace = "/w", .is_observed = true},
      event::SessionResumed{},
      event::SessionEnded{.turns = 3, .reason = {}, .by = "ann"},
      event::SessionEnded{.turns = 3, .reason = "exit"},
      event::SessionImported{.agent = "claude",
                             .workspace = "/w",
                             .title = "tea",
                             .turns = 3,
                             .created_at = kTime,
                             .ended_at = kTime + took},
      event::AgentSilence{
          .kind = Silence::kTool, .since = kTime, .tool_name = "Bash", .tool_call_id = "t1"},
      event::StateTransition{.from = WorkState::kCommanded,
                             .to = WorkState::kProcessing,
                             .trigger = StateTrigger::kCompletion},
      event::TurnCreated{.turn = turn, .message_index = 4, .is_message = false},
      event::TurnCreated{.turn = turn, .message_index = {}, .is_message = true},
      event::TurnUpdated{
          .turn = turn, .change = TurnChange::kTimestampCorrection, .old_timestamp = kTime - took},
      event::TurnDetected{.turn = detected},
      event::Custom{
          .type = "deploy", .text = "words", .data = boost::json::value{1, 2}, .by = "ci"},
  };
}

TEST(R_SHAPE_1, EveryKindOfEventIsReadBackAsItWas) {
  std::set<std::size_t> kinds;
  for (const EventPayload& payload : every_payload()) {
    kinds.insert(payload.index());
    const SessionEvent event{.session_id = "ses_1",
                             .project_id = "web",
                             .task_id = "task_1",
                             .timestamp = kTime,
                             .payload = payload};
    Record record;
    record.type = event.feed_type();
    record.event_type = event.type();
    record.body = serialize_body(event);
    EXPECT_EQ(parse_event(record), event) << record.body;
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<EventPayload>) << "a kind is missing above";
}

TEST(EventJson, ALongTextIsWrittenOnce) {
  constexpr std::size_t kSpare = 1024;
  for (const char c : {'x', '\n', '\x01'}) {
    const std::string body = serialize_body(
        event_with(event::AssistantDelta{.number = 1, .text = std::string(1 << 20, c)}));
    EXPECT_GT(body.capacity(), body.size()) << "shrinking has copied it";
    EXPECT_LT(body.capacity(), body.size() + kSpare) << "growing has copied it";
  }
}

TEST(EventJson, AShortBodyIsKeptWithoutSpareMemory) {
  const std::string body =
      serialize_body(event_with(event::AssistantDelta{.number = 1, .text = "hello, world"}));
  EXPECT_EQ(body.capacity(), body.size());
}

TEST(EventJson, AMalformedEventReadsAsEmpty) {
  for (const char* json : {R"({})", R"({"type":"status"})", R"({"type":"permission","data":[]})",
                           R"({"type":"completion","usage":3,"data":"x"})",
                           R"({"type":"message","data":{"message":"one"}})"}) {
    const SessionEvent event = parse_event("", boost::json::parse(json).as_object());
    EXPECT_EQ(event.session_id, "") << json;
  }
}

TEST(EventJson, ASystemEventWithoutItsFeedNameIsACustomEvent) {
  const SessionEvent event = parse_event(
      "", boost::json::parse(R"({"type":"system","text":"x","data":{"turns":1}})").as_object());
  ASSERT_NE(event.get_if<event::Custom>(), nullptr);
  EXPECT_EQ(event.get_if<event::Custom>()->type, "system");
}

}  // namespace
}  // namespace oriel
