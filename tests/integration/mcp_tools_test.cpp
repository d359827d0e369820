// Oriel's MCP tools and resources over the whole server, for clients of both eras.

#include "mcp_client.h"
#include "mcp_fixture.h"
#include "processes.h"
#include "session_client.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <algorithm>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::SizeIs;

class McpTools : public testing::Test {
 protected:
  std::string start(McpClient& client, std::string_view text, json::object more = {}) {
    more["wait"] = true;
    return string_of(client.tool("session_message", fixture_.message(text, std::move(more))),
                     "session_id");
  }

  McpFixture fixture_;
  ServerProcess server_{fixture_.flags()};
};

using R_POLL_1_Mcp = McpTools;
using R_POLL_2_Mcp = McpTools;

std::string error_text(const json::object& result) {
  EXPECT_TRUE(result.contains("isError"));
  return std::string(result.at("content").at(0).at("text").as_string());
}

json::object error_of(const json::object& result) {
  return result.at("_meta").at("oriel/error").as_object();
}

std::vector<std::string> keys_of(const json::object& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object)
    keys.emplace_back(key);
  return keys;
}

// The content has every key that the schema requires, and no key that it does not know.
void expect_fits(const json::object& content, const json::object& schema) {
  EXPECT_THAT(keys_of(schema.at("properties").as_object()), IsSupersetOf(keys_of(content)));
  for (const json::value& key : schema.at("required").as_array())
    EXPECT_TRUE(content.contains(key.as_string())) << key;
}

TEST_F(R_POLL_1_Mcp, AnAnswerSaysHowFarItCameAndTheNextGoesOnThere) {
  McpClient client(server_);
  const std::string id = start(client, "list");
  const json::object all = client.tool("session_events", {{"session_id", id}});
  json::array pieces;
  std::int64_t reached = -1;
  bool has_more = true;
  while (has_more) {
    const json::object page =
        client.tool("session_events", {{"session_id", id}, {"since_index", reached}, {"limit", 7}});
    for (const json::value& event : page.at("events").as_array())
      pieces.push_back(event);
    reached = page.at("last_index").to_number<std::int64_t>();
    has_more = page.at("has_more").as_bool();
    EXPECT_EQ(page.at("oldest_index").to_number<std::int64_t>(), 0);
  }
  EXPECT_EQ(pieces, all.at("events").as_array());
  EXPECT_EQ(string_of(all, "status"), "idle");
}

TEST_F(R_POLL_1_Mcp, AWaitEndsWithTheNextEvent) {
  McpClient client(server_);
  const std::string id = start(client, "list");
  const json::object page = client.tool("session_events", {{"session_id", id}});
  const auto waiting = client.begin_tool(
      "session_events",
      {{"session_id", id}, {"since_index", page.at("last_index")}, {"wait_ms", 60000}});
  client.tool("session_message", {{"session_id", id}, {"message", "count"}});
  const json::object answer =
      waiting->until_answer().back().at("result").at("structuredContent").as_object();
  EXPECT_THAT(answer.at("events").as_array(), Not(IsEmpty()));
}

TEST_F(R_POLL_2_Mcp, TypesChooseAndDeltasAreThere) {
  McpClient client(server_);
  const std::string id = start(client, "list");
  const json::object page =
      client.tool("session_events", {{"session_id", id}, {"types", {"delta"}}});
  ASSERT_THAT(page.at("events").as_array(), Not(IsEmpty()));
  for (const json::value& event : page.at("events").as_array())
    EXPECT_EQ(event.at("type").as_string(), "delta");
}

TEST(R_POLL_3, OverMcpACursorOlderThanWhatIsHeldIsAnErrorWithBothNumbers) {
  const McpFixture fixture;
  const ServerProcess server(fixture.flags({"--store", "memory", "--events-per-session", "5"}));
  McpClient client(server);
  const std::string id = string_of(
      client.tool("session_message", fixture.message("list", {{"wait", true}})), "session_id");
  const json::object result =
      client.tool_result("session_events", {{"session_id", id}, {"since_index", 0}});
  EXPECT_THAT(error_text(result), HasSubstr("were purged (oldest held: "));
  const json::object error = error_of(result);
  EXPECT_EQ(string_of(error, "code"), "events_purged");
  EXPECT_EQ(error.at("data").at("asked_index").to_number<int>(), 1);
  EXPECT_GT(error.at("data").at("oldest_index").to_number<int>(), 1);
}

TEST_F(McpTools, EveryToolSaysWhatItTakesAndGives) {
  McpClient client(server_);
  const json::object list = client.request("tools/list", {});
  std::vector<std::string> names;
  for (const json::value& tool : list.at("tools").as_array()) {
    names.emplace_back(tool.at("name").as_string());
    EXPECT_GT(tool.at("description").as_string().size(), 60U) << names.back();
    EXPECT_THAT(std::string(tool.at("inputSchema").at("$schema").as_string()),
                HasSubstr("2020-12"));
    EXPECT_EQ(tool.at("outputSchema").at("type").as_string(), "object");
    EXPECT_TRUE(tool.at("annotations").as_object().contains("readOnlyHint"));
  }
  EXPECT_THAT(names, testing::UnorderedElementsAre(
                         "session_message", "session_events", "session_watch", "session_unwatch",
                         "permission_answer", "session_list", "session_get", "session_cancel",
                         "session_end", "session_changes", "session_update", "agent_list",
                         "session_search"));
}

TEST_F(McpTools, WhatAToolAnswersFitsItsSchema) {
  McpClient client(server_);
  std::map<std::string, json::object> schemas;
  const json::object list = client.request("tools/list", {});
  for (const json::value& tool : list.at("tools").as_array())
    schemas[std::string(tool.at("name").as_string())] = tool.at("outputSchema").as_object();
  const json::object sent = client.tool("session_message", fixture_.message("slow 20s list"));
  const json::object which{{"session_id", sent.at("session_id")}};
  expect_fits(sent, schemas["session_message"]);
  for (const char* name : {"session_events", "session_watch", "session_unwatch", "session_get",
                           "session_cancel", "session_changes", "session_end"})
    expect_fits(client.tool(name, which), schemas[name]);
  expect_fits(client.tool("agent_list", {}), schemas["agent_list"]);
  expect_fits(client.tool("session_search", {{"q", "list"}}), schemas["session_search"]);
  const json::object& row_schema =
      schemas["session_list"].at("properties").at("sessions").at("items").as_object();
  for (const bool is_detailed : {false, true}) {
    const json::object sessions = client.tool("session_list", {{"detail", is_detailed}});
    expect_fits(sessions, schemas["session_list"]);
    expect_fits(sessions.at("sessions").at(0).as_object(), row_schema);
  }
  const json::object done =
      client.tool("session_message", fixture_.message("list", {{"wait", true}}));
  expect_fits(done, schemas["session_message"]);
  const json::object page = client.tool("session_events", {{"session_id", done.at("session_id")}});
  const json::object& event_schema =
      schemas["session_events"].at("properties").at("events").at("items").as_object();
  for (const json::value& event : page.at("events").as_array())
    expect_fits(event.as_object(), event_schema);
}

TEST_F(McpTools, AnErrorSaysWhatToDoNext) {
  McpClient client(server_);

  struct Wrong {
    const char* tool;
    json::object arguments;
    const char* says;
  };

  const std::vector<Wrong> wrong = {
      {"session_get", {{"session_id", "ses_none"}}, "session_list"},
      {"session_get", {}, "session_id"},
      {"session_message", {{"session_id", "ses_none"}, {"message", "x"}}, "session_list"},
      {"session_message", {}, "message"},
      {"session_message", {{"message", "x"}, {"agent", "nobody"}}, "agent_list"},
      {"session_message", {{"message", "x"}, {"mesage", "y"}}, "mesage"},
      {"session_message",
       {{"message", "x"}, {"session_id", "ses_a"}, {"agent", "demo"}},
       "new session"},
      {"session_events", {{"session_id", "ses_a"}, {"wait_ms", 60001}}, "60000"},
      {"permission_answer", {{"session_id", "ses_a"}, {"permission_id", "p"}}, "decision"},
  };
  for (const auto& [tool, arguments, says] : wrong)
    EXPECT_THAT(error_text(client.tool_result(tool, arguments)), HasSubstr(says)) << tool;
}

TEST_F(McpTools, ARepeatedRequestIsTakenOnceAndItsTaskCanBeWaitedFor) {
  McpClient client(server_);
  const json::object message = fixture_.message("list", {{"request_id", "r-1"}, {"wait", true}});
  const json::object first = client.tool("session_message", message);
  const json::object again = client.tool("session_message", message);
  EXPECT_EQ(again.at("task_id"), first.at("task_id"));
  EXPECT_EQ(again.at("text"), first.at("text"));
  StatelessClient other(server_);
  EXPECT_EQ(other.tool("session_message", message).at("text"), first.at("text"));
}

TEST_F(McpTools, ATaskThatFailsIsAnErrorWithItsReason) {
  McpClient client(server_);
  const json::object result =
      client.tool_result("session_message", fixture_.message("crash", {{"wait", true}}));
  EXPECT_TRUE(result.at("isError").as_bool());
  EXPECT_EQ(result.at("structuredContent").at("status").as_string(), "error");
  EXPECT_NE(result.at("structuredContent").at("stop_reason").as_string(), "");
}

TEST_F(McpTools, CancellingTheCallIsNotCancellingTheTask) {
  McpClient client(server_);
  client.set_level("info");
  const auto call =
      client.begin_tool("session_message", fixture_.message("slow 500ms list", {{"wait", true}}));
  const std::string id =
      string_of(event_in(call->next_with("notifications/message")), "session_id");
  call->close();
  json::array completions;
  EXPECT_TRUE(eventually([&] {
    const json::object page =
        client.tool("session_events", {{"session_id", id}, {"types", {"completion"}}});
    completions = page.at("events").as_array();
    return !completions.empty();
  }));
  EXPECT_EQ(completions.at(0).at("status").as_string(), "completed");
}

class Elicitation : public McpTools {
 protected:
  json::object write_message() const {
    return fixture_.message("write note.txt: hello", {{"wait", true}, {"permissions", "ask"}});
  }
};

TEST_F(Elicitation, APermissionIsPutToTheClientAndItsAnswerCounts) {
  McpClient client(server_, {.capabilities = {{"elicitation", json::object()}}});
  client.set_level("info");
  const auto call = client.begin_tool("session_message", write_message());
  const Message question = call->next_with("elicitation/create");
  const json::value& field =
      question.at("params").at("requestedSchema").at("properties").at("decision");
  const json::value choice = field.at("oneOf").at(0).at("const");
  client.answer(question.at("id"), {{"action", "accept"}, {"content", {{"decision", choice}}}});
  const Message last = call->until_answer().back();
  EXPECT_EQ(last.at("result").at("structuredContent").at("status").as_string(), "completed");
  EXPECT_TRUE(std::filesystem::exists(std::string(write_message().at("workspace").as_string()) +
                                      "/note.txt"));
}

TEST_F(Elicitation, WhenSomebodyElseAnswersFirstTheQuestionIsWithdrawn) {
  McpClient client(server_, {.capabilities = {{"elicitation", json::object()}}});
  McpClient other(server_);
  client.set_level("info");
  const auto call = client.begin_tool("session_message", write_message());
  const Message question = call->next_with("elicitation/create");
  const json::object sessions = other.tool("session_list", {{"detail", true}});
  const json::value& session = sessions.at("sessions").at(0);
  other.tool("permission_answer",
             {{"session_id", session.at("session_id")},
              {"permission_id", session.at("permissions").at(0).at("permission_id")},
              {"decision", "deny"}});
  const Message withdrawn = call->next_with("notifications/cancelled");
  EXPECT_EQ(withdrawn.at("params").at("requestId"), question.at("id"));
  const Message last = call->until_answer().back();
  EXPECT_EQ(last.at("result").at("structuredContent").at("status").as_string(), "completed");
}

TEST_F(Elicitation, AClientOf2026IsAskedByAResultAndComesAgain) {
  StatelessClient client(server_, {{"elicitation", json::object()}});
  const json::object level{{"io.modelcontextprotocol/logLevel", "info"}};
  const auto first = client.begin_tool("session_message", write_message(), level);
  const std::vector<Message> before = first->until_answer();
  const json::object asked = before.back().at("result").as_object();
  ASSERT_EQ(string_of(asked, "resultType"), "input_required");
  const auto& questions = asked.at("inputRequests").as_object();
  ASSERT_EQ(questions.size(), 1U);
  const std::string key(questions.begin()->key());
  const json::value choice = questions.begin()
                                 ->value()
                                 .at("params")
                                 .at("requestedSchema")
                                 .at("properties")
                                 .at("decision")
                                 .at("oneOf")
                                 .at(0)
                                 .at("const");
  json::object answers;
  answers[key] = json::object{{"action", "accept"}, {"content", {{"decision", choice}}}};
  const auto second =
      client.begin_tool("session_message", write_message(), level,
                        {{"inputResponses", answers}, {"requestState", asked.at("requestState")}});
  const std::vector<Message> after = second->until_answer();
  const json::object content = after.back().at("result").at("structuredContent").as_object();
  EXPECT_EQ(string_of(content, "status"), "completed");
  std::vector<std::int64_t> seen;
  for (const auto& messages : {before, after}) {
    for (const Message& message : messages) {
      if (is_push(message)) seen.push_back(index_in(message));
    }
  }
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

TEST_F(McpTools, AClientOf2026WithALogLevelFollowsTheTaskOnTheCallsStream) {
  StatelessClient client(server_);
  const auto call = client.begin_tool("session_message", fixture_.message("list", {{"wait", true}}),
                                      {{"io.modelcontextprotocol/logLevel", "debug"}});
  const std::vector<Message> messages = call->until_answer();
  std::size_t pushed = 0;
  for (const Message& message : messages)
    pushed += is_push(message) ? 1U : 0U;
  EXPECT_GT(pushed, 3U);
  EXPECT_THAT(
      std::string(messages.back().at("result").at("structuredContent").at("text").as_string()),
      HasSubstr("one.txt"));
}

TEST_F(McpTools, AClientOf2026IsAnsweredAtOnceUnlessItSaysWait) {
  StatelessClient client(server_);
  const json::object both{{"io.modelcontextprotocol/logLevel", "debug"}, {"progressToken", "p-1"}};
  for (const json::object& meta : {json::object(), both}) {
    const auto call =
        client.begin_tool("session_message", fixture_.message("slow 600s list"), meta);
    const json::object sent =
        call->until_answer().back().at("result").at("structuredContent").as_object();
    EXPECT_FALSE(sent.contains("text"));
    EXPECT_NE(string_of(sent, "task_id"), "");
  }
}

// What tasks/get says of a task, once it is no longer at work.
json::object settled_task(StatelessClient& client, const std::string& id) {
  json::object task;
  eventually([&] {
    const auto answer = client.begin("tasks/get", {{"taskId", id}}, id)->until_answer();
    task = answer.back().at("result").as_object();
    return string_of(task, "status") != "working";
  });
  return task;
}

json::object tasks_and(json::object capabilities) {
  capabilities["extensions"].emplace_object()["io.modelcontextprotocol/tasks"] = json::object();
  return capabilities;
}

std::string begin_task(StatelessClient& client, const json::object& message) {
  const auto answer = client.begin_tool("session_message", message)->until_answer();
  const json::object created = answer.back().at("result").as_object();
  EXPECT_EQ(string_of(created, "resultType"), "task");
  return string_of(created, "taskId");
}

TEST_F(McpTools, AMessageThatIsWaitedForIsATaskForAClientThatCan) {
  StatelessClient client(server_, tasks_and({}));
  const std::string id = begin_task(client, fixture_.message("list", {{"wait", true}}));
  const json::object task = settled_task(client, id);
  EXPECT_EQ(string_of(task, "status"), "completed");
  const json::value content = task.at("result").at("structuredContent");
  EXPECT_THAT(std::string(content.at("text").as_string()), HasSubstr("one.txt"));
  EXPECT_NE(string_of(client.tool("session_message", fixture_.message("list")), "task_id"), "");
}

TEST_F(Elicitation, ATaskAsksAndWhenSomebodyElseAnswersFirstItGoesOn) {
  StatelessClient client(server_, tasks_and({{"elicitation", json::object()}}));
  json::object message = write_message();
  message["wait"] = true;
  const std::string id = begin_task(client, message);
  const json::object asking = settled_task(client, id);
  ASSERT_EQ(string_of(asking, "status"), "input_required");
  const std::string permission(asking.at("inputRequests").as_object().begin()->key());
  const json::object list = client.tool("session_list", {});
  const std::string session(list.at("sessions").at(0).at("session_id").as_string());
  client.tool("permission_answer",
              {{"session_id", session}, {"permission_id", permission}, {"decision", "allow"}});
  json::object after;
  eventually([&] {
    after = settled_task(client, id);
    return string_of(after, "status") != "input_required";
  });
  EXPECT_EQ(string_of(after, "status"), "completed");
}

// The message of a notifications/progress; empty for any other message.
std::string progress_in(const Message& message) {
  const json::value* const method = message.if_contains("method");
  if (method == nullptr || method->as_string() != "notifications/progress") return {};
  return string_of(message.at("params").as_object(), "message");
}

TEST_F(McpTools, ProgressRisesAndSaysWhatHappens) {
  StatelessClient client(server_);
  const auto call = client.begin_tool("session_message", fixture_.message("list", {{"wait", true}}),
                                      {{"progressToken", "p-1"}});
  std::vector<std::string> said;
  double last = 0;
  const std::vector<Message> messages = call->until_answer();
  for (const Message& message : messages) {
    const std::string text = progress_in(message);
    if (text.empty()) continue;
    said.push_back(text);
    EXPECT_EQ(message.at("params").at("progressToken").as_string(), "p-1");
    EXPECT_GT(message.at("params").at("progress").to_number<double>(), last);
    last = message.at("params").at("progress").to_number<double>();
  }
  EXPECT_THAT(said, IsSupersetOf({"message accepted", "the agent is ready", "running list_files .",
                                  "the task is completed"}));
  EXPECT_THAT(said, Not(Contains("system")));
  EXPECT_EQ(messages.back().at("result").at("resultType").as_string(), "complete");
}

TEST(McpProgress, ASilentTaskIsReportedAtIntervals) {
  const McpFixture fixture;
  const ServerProcess server(fixture.flags({"--mcp-progress-interval", "50ms"}));
  const json::object task = fixture.message("slow 600s list", {{"wait", true}});
  const json::object token{{"progressToken", 1}};
  const json::object meta{{"_meta", token}};
  McpClient client(server);
  StatelessClient stateless(server);
  json::object params = meta;
  params["name"] = "session_message";
  params["arguments"] = task;
  const auto calls = {client.begin("tools/call", std::move(params)),
                      stateless.begin_tool("session_message", task, token)};
  for (const auto& call : calls) {
    int reports = 0;  // more than the events at the task's begin
    while (reports < 20)
      reports += progress_in(call->next()).starts_with("the agent is working, ") ? 1 : 0;
    call->close();
  }
}

TEST(McpProgress, ACallThatWaitsForAnotherOneIsNotSilent) {
  const McpFixture fixture;
  const ServerProcess server(fixture.flags({"--mcp-progress-interval", "50ms"}));
  McpClient client(server);
  client.set_level("info");
  const auto first =
      client.begin_tool("session_message", fixture.message("slow 600s list", {{"wait", true}}));
  json::object event;
  while (string_of(event, "type") != "status")  // it is running
    event = event_in(first->next_with("notifications/message"));
  const json::object next{
      {"session_id", event.at("session_id")}, {"message", "list"}, {"wait", true}};
  const auto second = client.begin(
      "tools/call",
      {{"name", "session_message"}, {"arguments", next}, {"_meta", {{"progressToken", 1}}}});
  while (!progress_in(second->next()).starts_with("queued behind another task, ")) {
  }
}

TEST_F(McpTools, SessionsAreResources) {
  McpClient client(server_);
  const std::string id = start(client, "list");
  const std::string uri = "oriel://sessions/" + id;
  const json::object list = client.request("resources/list", {});
  EXPECT_THAT(list.at("resources").as_array(), SizeIs(2));  // the session and the projects
  const json::object state = client.request("resources/read", {{"uri", uri}});
  const json::value shown = json::parse(state.at("contents").at(0).at("text").as_string());
  EXPECT_EQ(shown.at("session_id").as_string(), id);
  const json::object events = client.request("resources/read", {{"uri", uri + "/events"}});
  const json::value all = json::parse(events.at("contents").at(0).at("text").as_string());
  EXPECT_EQ(all.as_array(),
            client.tool("session_events", {{"session_id", id}}).at("events").as_array());
  const Message none =
      client.begin("resources/read", {{"uri", "oriel://sessions/ses_none"}})->until_answer().back();
  EXPECT_TRUE(none.contains("error"));
}

TEST_F(McpTools, TurnsTasksAndProjectsAreResources) {
  McpClient client(server_);
  const std::string id = start(client, "list");
  const auto read = [&](const std::string& uri) {
    const json::object result = client.request("resources/read", {{"uri", uri}});
    return json::parse(result.at("contents").at(0).at("text").as_string()).as_object();
  };
  const std::string path = "/api/sessions/" + id;
  EXPECT_EQ(read("oriel://sessions/" + id + "/turns"), get(server_, path + "/turns").json());
  EXPECT_EQ(read("oriel://sessions/" + id + "/tasks"), get(server_, path + "/tasks").json());
  EXPECT_EQ(read("oriel://projects"), get(server_, "/api/projects").json());
  const Message none = client.begin("resources/read", {{"uri", "oriel://sessions/ses_none/turns"}})
                           ->until_answer()
                           .back();
  EXPECT_TRUE(none.contains("error"));
  const json::object templates = client.request("resources/templates/list", {});
  EXPECT_THAT(templates.at("resourceTemplates").as_array(), SizeIs(4));
  const json::object completed =
      client.request("completion/complete",
                     {{"ref", {{"type", "ref/resource"}, {"uri", "oriel://sessions/{id}/turns"}}},
                      {"argument", {{"name", "id"}, {"value", "ses_"}}}});
  EXPECT_EQ(completed.at("completion").at("values").at(0).as_string(), id);
}

TEST_F(McpTools, TurnsAndProjectsAreAnnouncedWhenTheyChange) {
  McpClient client(server_);
  const std::string id = start(client, "list");
  const std::string turns = "oriel://sessions/" + id + "/turns";
  client.request("resources/subscribe", {{"uri", turns}});
  const auto stream = client.listen();
  StatelessClient modern(server_);
  const auto projects =
      modern.begin("subscriptions/listen",
                   {{"notifications", {{"resourceSubscriptions", {"oriel://projects"}}}}});
  projects->next_with("notifications/subscriptions/acknowledged");
  SessionClient(server_, id).send("count");
  const Message update = stream->next_with("notifications/resources/updated");
  EXPECT_EQ(update.at("params").at("uri").as_string(), turns);
  const Message other = projects->next_with("notifications/resources/updated");
  EXPECT_EQ(other.at("params").at("uri").as_string(), "oriel://projects");
}

TEST_F(McpTools, ASubscribedResourceIsAnnouncedWhenItChanges) {
  McpClient client(server_);
  const std::string id = start(client, "list");
  const std::string uri = "oriel://sessions/" + id + "/events";
  client.request("resources/subscribe", {{"uri", uri}});
  const auto stream = client.listen();
  SessionClient(server_, id).send("count");
  const Message update = stream->next_with("notifications/resources/updated");
  EXPECT_EQ(update.at("params").at("uri").as_string(), uri);
}

TEST_F(McpTools, AClientOf2026ListensToAResource) {
  StatelessClient client(server_);
  const std::string id = string_of(
      client.tool("session_message", fixture_.message("list", {{"wait", true}})), "session_id");
  const std::string uri = "oriel://sessions/" + id;
  const auto stream =
      client.begin("subscriptions/listen", {{"notifications", {{"resourceSubscriptions", {uri}}}}});
  stream->next_with("notifications/subscriptions/acknowledged");
  SessionClient(server_, id).send("count");
  const Message update = stream->next_with("notifications/resources/updated");
  EXPECT_EQ(update.at("params").at("uri").as_string(), uri);
}

TEST_F(McpTools, PromptsAndCompletionKnowSessionsAndAgents) {
  McpClient client(server_);
  const std::string id = start(client, "list");
  const json::object prompt =
      client.request("prompts/get", {{"name", "catch_up"}, {"arguments", {{"session_id", id}}}});
  EXPECT_THAT(std::string(prompt.at("messages").at(0).at("content").at("text").as_string()),
              HasSubstr(id));
  const json::object completed = client.request(
      "completion/complete", {{"ref", {{"type", "ref/resource"}, {"uri", "oriel://sessions/{id}"}}},
                              {"argument", {{"name", "id"}, {"value", "ses_"}}}});
  EXPECT_EQ(completed.at("completion").at("values").at(0).as_string(), id);
}

TEST(McpAccess, ATokenThatMayOnlyReadLooksButDoesNotTouch) {
  const McpFixture fixture;
  const auto make = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"token", "create"});
    words.insert(words.end(), {"--data-dir", fixture.data().string()});
    const Finished made = run_oriel(words);
    EXPECT_EQ(made.exit_code, 0) << made.err;
    return made.out.substr(0, made.out.find('\n'));
  };
  const std::string secret = make({"reader", "--scopes", "read"});
  const ServerProcess server(fixture.flags(), fixture.data());
  McpClient client(server, {.headers = {{"Authorization", "Bearer " + secret}}});
  client.tool("session_list", {});
  for (const char* tool : {"session_message", "session_cancel", "session_end", "permission_answer"})
    EXPECT_THAT(error_text(client.tool_result(tool, {{"message", "x"}})),
                HasSubstr("lacks the scope"))
        << tool;
}

}  // namespace
}  // namespace oriel
