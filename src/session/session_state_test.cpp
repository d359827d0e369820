#include "session/session_state.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

#include <set>

namespace oriel {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using testing::HasSubstr;

const std::set<std::string_view> kAlwaysThere = {"session_id", "agent",  "workspace", "created_at",
                                                 "updated_at", "status", "state",     "last_index"};

SessionState full_state() {
  SessionState state;
  state.session_id = "ses_1";
  state.agent = "demo";
  state.project_id = "project";
  state.title = "A \"title\"\nwith ünïcode";
  state.workspace = "/srv/work";
  state.permissions = PermissionMode::kDeny;
  state.request_id = "req_0";
  state.created_at = WallTime(1'700'000'000'123ms);
  state.updated_at = WallTime(1'700'000'001'456ms);
  state.last_index = 41;
  state.status = SessionStatus::kFailed;
  state.state = WorkState::kAwaitingInput;
  state.state_since = WallTime(1'700'000'001'789ms);
  state.reason = "the agent exited with code 1";
  state.task_id = "task_1";
  state.is_in_task = true;
  state.turns = 7;
  state.last_text = "done";
  state.usage.input_tokens = 12;
  state.usage.cost_usd = 0.5;
  state.total_usage.input_tokens = 40;
  state.total_usage.cost_usd = 1.5;
  state.agent_session_id = "conv";
  state.queue = {{.task_id = "task_2", .text = "next"}, {.task_id = "task_3", .text = "last"}};
  state.requests = {
      {.request_id = "req_1", .task_id = "task_2", .turn_id = "turn_2", .last_index = 40}};
  state.tools = {{.tool_call_id = "t1", .tool_name = "ls", .since = WallTime(1'700'000'001s)}};
  return state;
}

// The document with one key changed.
std::string document_with(const std::string& key, const json::value& value) {
  json::object document = json::parse(to_document(full_state())).as_object();
  document[key] = value;
  return json::serialize(document);
}

TEST(SessionState, ADocumentGivesBackWhatItWasMadeOf) {
  const auto parsed = parse_document(to_document(full_state()));
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(*parsed, full_state());
  EXPECT_EQ(parse_document(to_document(SessionState{})).value(), SessionState{});
}

TEST(SessionState, ADocumentHasNothingThatIsEmpty) {
  const json::object document = json::parse(to_document(SessionState{})).as_object();
  for (const auto& [key, value] : document)
    EXPECT_TRUE(kAlwaysThere.contains(key)) << key;
}

TEST(SessionState, ADocumentOfAnEarlierVersionHasWhatIsEmptyAndNoTotalUsage) {
  json::object document = json::parse(to_document(full_state())).as_object();
  document.erase("total_usage");
  document["title"] = "";
  document["usage"] = json::object();
  document["queue"] = json::array();
  document["is_in_task"] = false;
  document["turns"] = 0;
  SessionState state = full_state();
  state.total_usage = {};
  state.title.clear();
  state.usage = {};
  state.queue.clear();
  state.is_in_task = false;
  state.turns = 0;
  EXPECT_EQ(parse_document(json::serialize(document)).value(), state);
}

TEST(SessionState, PeopleSeeSinceWhenItIsSo) {
  EXPECT_EQ(to_json(full_state()).at("state_since"), "2023-11-14T22:13:21.789Z");
  EXPECT_TRUE(to_json(SessionState{}).at("state_since").is_null());
}

TEST(SessionState, WhatBelongsToTheProcessIsNotInTheDocument) {
  SessionState state = full_state();
  state.is_live = true;
  state.pending.emplace_back();
  EXPECT_EQ(parse_document(to_document(state)).value(), full_state());
}

TEST(SessionState, EveryStatusHasANameThatIsReadBack) {
  for (const auto status : {SessionStatus::kIdle, SessionStatus::kRunning, SessionStatus::kFailed,
                            SessionStatus::kCompleted})
    EXPECT_EQ(parse_session_status(name_of(status)), status);
  EXPECT_EQ(parse_session_status("sleeping"), std::nullopt);
}

TEST(SessionState, AKeyOfAWrongTypeIsAnErrorWhicheverItIs) {
  const json::object document = json::parse(to_document(full_state())).as_object();
  for (const auto& [key, value] : document) {
    for (const json::value& wrong : {json::value(nullptr), json::value(true), json::value(-1.5),
                                     json::value(json::array{1}), json::value("word")}) {
      if (wrong.kind() == value.kind() && key != "status" && key != "state") continue;
      const auto parsed = parse_document(document_with(key, wrong));
      EXPECT_FALSE(parsed) << key << " " << wrong;
    }
  }
}

TEST(SessionState, AMissingKeyIsAnErrorUnlessItMayBeEmpty) {
  const json::object document = json::parse(to_document(full_state())).as_object();
  for (const auto& [key, value] : document) {
    json::object less = document;
    less.erase(key);
    EXPECT_NE(parse_document(json::serialize(less)).has_value(), kAlwaysThere.contains(key)) << key;
  }
}

TEST(SessionState, ItemsOfListsAreCheckedToo) {
  for (const char* list : {"queue", "requests", "tools"}) {
    EXPECT_FALSE(parse_document(document_with(list, json::array{json::object{}}))) << list;
    EXPECT_FALSE(parse_document(document_with(list, json::array{nullptr}))) << list;
  }
}

TEST(SessionState, WhatIsNotADocumentIsAnErrorThatSaysSo) {
  const std::string whole = to_document(full_state());
  for (const std::string& text :
       {std::string(), std::string("{}"), std::string("[]"), std::string("null"), whole + "x",
        std::string(100, '['), std::string("\xff\0{", 3), whole.substr(0, whole.size() / 2)}) {
    const auto parsed = parse_document(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().kind, ErrorKind::kBadDocument);
    EXPECT_THAT(parsed.error().message, HasSubstr("not a session's document"));
  }
}

TEST(R_SHAPE_3, DoorsShowTimesAsRfc3339AndNullForWhatIsNotThere) {
  const json::object shown = to_json(SessionState{});
  EXPECT_EQ(shown.at("created_at"), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(shown.at("tool"), nullptr);
  EXPECT_EQ(shown.at("usage"), nullptr);
  EXPECT_EQ(shown.at("total_usage"), nullptr);
  EXPECT_EQ(shown.at("permissions"), json::array());
  EXPECT_EQ(shown.at("last_index"), -1);
}

TEST(SessionState, ATimeThatNoCalendarHasIsAnError) {
  for (const std::int64_t wild : {INT64_MIN, std::int64_t{-1}, INT64_MAX})
    EXPECT_FALSE(parse_document(document_with("created_at", wild)));
}

TEST(SessionState, DoorsShowTheNewestToolAndHowManyMessagesWait) {
  SessionState state = full_state();
  state.tools.push_back({.tool_call_id = "t2", .tool_name = "cat", .since = state.updated_at});
  const json::object shown = to_json(state);
  EXPECT_EQ(shown.at("tool"), json::value({{"tool_call_id", "t2"},
                                           {"tool_name", "cat"},
                                           {"since", "2023-11-14T22:13:21.456Z"}}));
  EXPECT_EQ(shown.at("queued"), 2);
  EXPECT_EQ(shown.at("status"), "failed");
  EXPECT_EQ(shown.at("reason"), "the agent exited with code 1");
  EXPECT_EQ(shown.at("usage"), json::value(to_json(state.usage)));
  EXPECT_EQ(shown.at("total_usage"), json::value(to_json(state.total_usage)));
}

TEST(SessionState, DoorsShowWhatAPersonNeedsToAnswerAPermission) {
  PendingPermission pending{
      .permission_id = "perm_1",
      .asked = {.id = "agent's own",
                .tool_call_id = "t1",
                .title = "Write a file",
                .input = {{"path", "a.txt"}},
                .details = {{"kind", "edit"}},
                .options =
                    {{.id = "y", .label = "Yes", .kind = OptionKind::kAllowAlways, .scope = "all"},
                     {.id = "n", .label = "Never", .kind = OptionKind::kRejectAlways}},
                .questions = {{.text = "Which?", .choices = {"a", "b"}, .takes_many = true}}},
      .asked_at = WallTime(0ms),
      .expires_at = WallTime(600s)};
  EXPECT_EQ(to_json(pending), json::parse(R"({
    "permission_id":"perm_1","tool_call_id":"t1","title":"Write a file","input":{"path":"a.txt"},
    "details":{"kind":"edit"},
    "options":[{"option_id":"y","label":"Yes","kind":"allow_always","scope":"all"},
               {"option_id":"n","label":"Never","kind":"reject_always"}],
    "questions":[{"text":"Which?","choices":["a","b"],"takes_many":true}],
    "asked_at":"1970-01-01T00:00:00.000Z","expires_at":"1970-01-01T00:10:00.000Z"})")
                                  .as_object());
  pending.expires_at.reset();
  EXPECT_EQ(to_json(pending).at("expires_at"), nullptr);
}

TEST(R_CLUSTER_1_State, OtherNodesReadWhatIsKnownWhileTheSessionRuns) {
  SessionState state = full_state();
  PendingPermission pending;
  pending.permission_id = "perm_1";
  pending.asked.id = "perm_1";
  pending.asked.title = "Write a file";
  state.pending = {pending};
  state.is_live = true;
  const std::string document = to_document(state, DocumentReader::kOtherNodes);
  const SessionState seen = parse_document(document, DocumentReader::kOtherNodes).value();
  EXPECT_TRUE(seen.is_live);
  EXPECT_EQ(seen.pending, state.pending);
  const SessionState restored = parse_document(document).value();
  EXPECT_FALSE(restored.is_live);
  EXPECT_TRUE(restored.pending.empty());
}

TEST(R_CLUSTER_1_State, ASessionOfAClusterShowsItsNode) {
  SessionState state;
  EXPECT_FALSE(to_json(state).contains("node"));
  state.node = "a";
  EXPECT_EQ(to_json(state).at("node"), "a");
}

}  // namespace
}  // namespace oriel
