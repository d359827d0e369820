// A permission that the client of a waiting call cannot or will not answer: the call returns it.

#include "mcp_client.h"
#include "mcp_fixture.h"
#include "processes.h"
#include "session_client.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <thread>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Longer than a program takes to decline a form without asking anybody.
constexpr std::chrono::milliseconds kReadingTime{1200};

class UnansweredPermission : public testing::Test {
 protected:
  json::object write_message(json::object more = {}) const {
    more["wait"] = true;
    more["permissions"] = "ask";
    return fixture_.message("write note.txt: hello", std::move(more));
  }

  bool is_written() const {
    const std::string workspace(write_message().at("workspace").as_string());
    return std::filesystem::exists(workspace + "/note.txt");
  }

  // The result of a call that waited.
  static json::object content_of(const Message& answer) {
    const json::object& result = answer.at("result").as_object();
    EXPECT_FALSE(result.contains("isError")) << result;
    return result.at("structuredContent").as_object();
  }

  static void expect_handed_back(const json::object& content) {
    EXPECT_EQ(string_of(content, "status"), "awaiting_input");
    EXPECT_EQ(content.at("permission").at("title").as_string(), "Write note.txt");
    EXPECT_FALSE(content.contains("text"));
  }

  // What a form of a client with a session returns.
  Message answer_form(const json::object& answer, std::chrono::milliseconds after = {}) {
    McpClient client(server_, {.capabilities = forms_});
    const auto call = client.begin_tool("session_message", write_message());
    const Message question = call->next_with("elicitation/create");
    std::this_thread::sleep_for(after);
    client.answer(question.at("id"), answer);
    return call->until_answer().back();
  }

  // The same without a session.
  Message answer_input(const json::object& answer, std::chrono::milliseconds after = {}) {
    StatelessClient client(server_, forms_);
    const auto first = client.begin_tool("session_message", write_message());
    const Message asked = first->until_answer().back();
    const json::object& round = asked.at("result").as_object();
    json::object answers;
    for (const auto& [key, question] : round.at("inputRequests").as_object())
      answers[key] = answer;
    std::this_thread::sleep_for(after);
    const auto second = client.begin_tool(
        "session_message", write_message(), {},
        {{"inputResponses", answers}, {"requestState", round.at("requestState")}});
    return second->until_answer().back();
  }

  // Answers a permission that was handed back, and follows the task to its completion.
  template <class Client>
  void expect_answerable(Client& client, const json::object& content) {
    client.tool("permission_answer",
                {{"session_id", content.at("session_id")},
                 {"permission_id", content.at("permission").at("permission_id")},
                 {"decision", "allow"}});
    json::object page;
    const auto is_complete = [&] {
      page = client.tool("session_events", {{"session_id", content.at("session_id")},
                                            {"since_index", content.at("last_index")},
                                            {"types", {"completion"}},
                                            {"wait_ms", 10'000}});
      return !page.at("events").as_array().empty();
    };
    EXPECT_TRUE(eventually(is_complete));
    EXPECT_EQ(page.at("events").at(0).at("status").as_string(), "completed");
    EXPECT_TRUE(is_written());
  }

  const json::object forms_{{"elicitation", json::object()}};
  McpFixture fixture_;
  ServerProcess server_{fixture_.flags()};
};

TEST_F(UnansweredPermission, AClientWithoutFormsGetsItAndTheNextStep) {
  McpClient client(server_);
  const json::object content = client.tool("session_message", write_message());
  expect_handed_back(content);
  const std::string next = string_of(content, "next");
  EXPECT_THAT(next, StartsWith("permission_answer {\"session_id\":\"ses_"));
  EXPECT_THAT(next, HasSubstr(string_of(content.at("permission").as_object(), "permission_id")));
  EXPECT_THAT(next, HasSubstr("then session_events {\"session_id\":\"ses_"));
  EXPECT_THAT(next, HasSubstr("\"wait_ms\":50000"));
  expect_answerable(client, content);
}

TEST_F(UnansweredPermission, AStatelessClientWithoutFormsGetsIt) {
  StatelessClient client(server_);
  const json::object content = client.tool("session_message", write_message());
  expect_handed_back(content);
  expect_answerable(client, content);
}

TEST_F(UnansweredPermission, IsReturnedWhenTheFormIsDismissed) {
  for (const Message& answer :
       {answer_form({{"action", "cancel"}}), answer_input({{"action", "cancel"}}),
        answer_form({{"action", "accept"}, {"content", {{"decision", "maybe"}}}})})
    expect_handed_back(content_of(answer));
  EXPECT_FALSE(is_written());
}

TEST_F(UnansweredPermission, IsReturnedWhenTheClientFailsToShowTheForm) {
  McpClient client(server_, {.capabilities = forms_});
  const auto waiting = client.begin_tool("session_message", write_message());
  const Message question = waiting->next_with("elicitation/create");
  const json::object failure{{"jsonrpc", "2.0"},
                             {"id", question.at("id")},
                             {"error", {{"code", -32601}, {"message", "no such method"}}}};
  EXPECT_EQ(call(server_, client.post(failure)).status, 202);
  const json::object content = content_of(waiting->until_answer().back());
  expect_handed_back(content);
  expect_answerable(client, content);
}

TEST_F(UnansweredPermission, IsReturnedWhenAProgramDeclinesTheFormAtOnce) {
  for (const Message& answer :
       {answer_form({{"action", "decline"}}), answer_input({{"action", "decline"}})}) {
    const json::object content = content_of(answer);
    expect_handed_back(content);
    McpClient client(server_);
    const json::object session =
        client.tool("session_get", {{"session_id", content.at("session_id")}});
    EXPECT_EQ(session.at("permissions").at(0).at("permission_id"),
              content.at("permission").at("permission_id"));
  }
}

TEST_F(UnansweredPermission, AFormThatAPersonDeclinesIsANo) {
  for (const Message& answer : {answer_form({{"action", "decline"}}, kReadingTime),
                                answer_input({{"action", "decline"}}, kReadingTime)})
    EXPECT_EQ(string_of(content_of(answer), "status"), "completed");
  EXPECT_FALSE(is_written());
}

TEST_F(UnansweredPermission, OneThatWasPendingBeforeTheCallIsReturned) {
  McpClient client(server_);
  const json::object first = client.tool("session_message", write_message());
  const json::object second =
      client.tool("session_message",
                  {{"session_id", first.at("session_id")}, {"message", "list"}, {"wait", true}});
  expect_handed_back(second);
  EXPECT_NE(second.at("task_id"), first.at("task_id"));
  EXPECT_EQ(second.at("permission"), first.at("permission"));
}

TEST_F(UnansweredPermission, ARepeatedCallReturnsItAgainUntilItIsAnswered) {
  StatelessClient client(server_);
  const json::object message = write_message({{"request_id", "r-1"}});
  const json::object first = client.tool("session_message", message);
  expect_handed_back(first);
  const json::object again = client.tool("session_message", message);
  EXPECT_EQ(again.at("permission"), first.at("permission"));
  expect_answerable(client, first);
  const json::object last = client.tool("session_message", message);
  EXPECT_EQ(string_of(last, "status"), "completed");
  EXPECT_EQ(last.at("task_id"), first.at("task_id"));
}

TEST_F(UnansweredPermission, IsNotReturnedWithAnAnswerOfAnotherClient) {
  McpClient client(server_, {.capabilities = forms_});
  McpClient other(server_);
  const auto call = client.begin_tool("session_message", write_message());
  call->next_with("elicitation/create");
  const json::object sessions = other.tool("session_list", {{"status", "running"}});
  const json::value& session = sessions.at("sessions").at(0).at("session_id");
  const json::object asked = other.tool("session_get", {{"session_id", session}});
  other.tool("permission_answer",
             {{"session_id", session},
              {"permission_id", asked.at("permissions").at(0).at("permission_id")},
              {"decision", "allow"}});
  EXPECT_EQ(string_of(content_of(call->until_answer().back()), "status"), "completed");
  EXPECT_TRUE(is_written());
}

TEST(UnansweredPermissionAccess, WithoutTheScopeToAnswerTheNextStepIsAPersons) {
  const McpFixture fixture;
  const Finished made = run_oriel({"token", "create", "starter", "--scopes", "read,start",
                                   "--data-dir", fixture.data().string()});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const std::string secret = made.out.substr(0, made.out.find('\n'));
  const ServerProcess server(fixture.flags(), fixture.data());
  McpClient client(server, {.capabilities = {{"elicitation", json::object()}},
                            .headers = {{"Authorization", "Bearer " + secret}}});
  const json::object content =
      client.tool("session_message", {{"message", "write note.txt: hello"}, {"wait", true}});
  EXPECT_EQ(string_of(content, "status"), "awaiting_input");
  const std::string next = string_of(content, "next");
  EXPECT_THAT(next, StartsWith("a person must answer it"));
  EXPECT_THAT(next, Not(HasSubstr("permission_answer")));
}

}  // namespace
}  // namespace oriel
