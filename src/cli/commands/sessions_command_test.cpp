#include "cli/commands/sessions_command.h"

#include "client/scripted_server_testing.h"

#include <gtest/gtest.h>

#include <sstream>

namespace oriel {
namespace {

struct Ran {
  int code = -1;
  std::string out;
  std::string err;
};

ServerAccess access_to(const ScriptedServer& server) {
  return {.url = http::parse_url(server.url()).value(), .token = ""};
}

constexpr const char* kAsking =
    R"({"session_id":"ses_1","permissions":[{"permission_id":"perm_a","title":"Write a file",)"
    R"("input":{"path":"a"},"options":[{"option_id":"once","label":"Once","kind":"allow_once"}]}]})";

constexpr const char* kShown = "? Write a file\n  input.path: a\n    1) Once\n";

constexpr const char* kAskingTwice =
    R"({"session_id":"ses_1","permissions":[{"permission_id":"perm_a","title":"A"},)"
    R"({"permission_id":"perm_b","title":"B","questions":[{"text":"B","choices":["x","y"]}]}]})";

// Without a terminal, unless something is typed.
Ran answer(ScriptedServer& server, AnswerOptions options, const char* typed = nullptr) {
  options.server = access_to(server);
  options.session = "ses_1";
  std::ostringstream out;
  std::ostringstream err;
  std::istringstream keyboard(typed == nullptr ? "" : typed);
  const int code = answer_permission(options, {}, typed == nullptr ? nullptr : &keyboard, out, err);
  return {code, out.str(), err.str()};
}

std::string last_line(const std::string& text) {
  return text.substr(text.rfind('\n') + 1);
}

Ran list(ScriptedServer& server, SessionsOptions options, const Screen& screen) {
  options.server = access_to(server);
  std::ostringstream out;
  std::ostringstream err;
  const int code = show_sessions(options, screen, out, err);
  return {code, out.str(), err.str()};
}

TEST(SessionsCommand, ListsJsonLinesWithoutATerminal) {
  ScriptedServer server({json_answer(R"({"sessions":[{"session_id":"a"},{"session_id":"b"}]})")});
  SessionsOptions options;
  options.query = {.project = "p", .agent = "demo", .status = "idle", .limit = "5"};
  EXPECT_EQ(list(server, options, {}).out, "{\"session_id\":\"a\"}\n{\"session_id\":\"b\"}\n");
  EXPECT_TRUE(server.requests().at(0).starts_with(
      "GET /api/sessions?project_id=p&agent=demo&status=idle&limit=5 HTTP/1.1\r\n"));
}

TEST(SessionsCommand, ListsATableOnATerminal) {
  ScriptedServer server({json_answer(R"({"sessions":[{"session_id":"a"}]})")});
  EXPECT_TRUE(list(server, {}, {.is_terminal = true}).out.starts_with("SESSION  AGENT"));
}

TEST(SessionsCommand, ExplainsHowToStartASession) {
  ScriptedServer server({json_answer(R"({"sessions":[],"count":0})")});
  EXPECT_EQ(list(server, {}, {.is_terminal = true}).out,
            "There are no sessions. oriel send MESSAGE starts one.\n");
}

TEST(SessionsCommand, ShowsOne) {
  ScriptedServer server({json_answer(kAsking)});
  SessionsOptions options;
  options.session = "ses_1";
  const Ran ran = list(server, options, {.is_terminal = true});
  EXPECT_TRUE(ran.out.starts_with("session    ses_1\n")) << ran.out;
}

TEST(SessionsCommand, CancelsAndEnds) {
  const std::string session = json_answer(R"({"session_id":"ses_1"})");
  ScriptedServer server({session, json_answer(R"({"session_id":"ses_1"})", "202 Accepted"), session,
                         json_answer(R"({"session_id":"ses_1"})")});
  std::ostringstream out;
  std::ostringstream err;
  SessionActionOptions options{
      .server = access_to(server), .action = SessionAction::kCancel, .session = "ses_1"};
  EXPECT_EQ(act_on_session(options, out, err), 0);
  options.action = SessionAction::kEnd;
  EXPECT_EQ(act_on_session(options, out, err), 0);
  EXPECT_EQ(out.str(), "cancelling the task of ses_1\nended ses_1\n");
  EXPECT_TRUE(server.requests().at(1).starts_with("POST /api/sessions/ses_1/cancel HTTP"));
  EXPECT_TRUE(server.requests().at(3).starts_with("POST /api/sessions/ses_1/end HTTP"));
}

TEST(SessionsCommand, ReportsAnErrorOfTheServer) {
  ScriptedServer server(
      {json_answer(R"({"session_id":"ses_1"})"),
       json_answer(R"({"error":{"code":"no_task","message":"no task at work"}})", "409 Conflict")});
  std::ostringstream out;
  std::ostringstream err;
  const SessionActionOptions options{
      .server = access_to(server), .action = SessionAction::kCancel, .session = "ses_1"};
  EXPECT_EQ(act_on_session(options, out, err), 1);
  EXPECT_EQ(err.str(), "oriel: the server answered 409: no task at work\n");
}

TEST(SessionsCommand, AnswersTheOnlyOpenPermission) {
  ScriptedServer server({json_answer(kAsking), json_answer(R"({"permission_id":"perm_a"})")});
  AnswerOptions options;
  options.word = "once";
  options.is_confirmed = true;
  const Ran ran = answer(server, options);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, std::string(kShown) + "answered: Write a file\n");
  EXPECT_TRUE(server.requests().at(1).starts_with(
      "POST /api/sessions/ses_1/permissions/perm_a HTTP/1.1\r\n"));
  EXPECT_EQ(last_line(server.requests().at(1)), R"({"option_id":"once"})");
}

TEST(R_TRUTH_1, AnswerShowsAllThatItAllowsAndAsks) {
  AnswerOptions options;
  options.word = "allow";
  for (const char* no : {"n\n", "\n", ""}) {
    ScriptedServer server({json_answer(kAsking)});
    const Ran ran = answer(server, options, no);
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, std::string(kShown) + "  Allow this? [y, n] ");
    EXPECT_EQ(server.requests().size(), 1U) << "nothing is allowed";
  }
  ScriptedServer server({json_answer(kAsking), json_answer(R"({"permission_id":"perm_a"})")});
  EXPECT_EQ(answer(server, options, "y\n").code, 0);
  EXPECT_EQ(last_line(server.requests().at(1)), R"({"decision":"allow"})");
}

TEST(R_TRUTH_1, WithoutATerminalOnlyANamedPermissionIsAllowed) {
  AnswerOptions options;
  options.word = "allow";
  for (const char* name : {"", "perm_"}) {
    ScriptedServer server({json_answer(kAsking)});
    options.permission = name;
    const Ran ran = answer(server, options);
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.err,
              "oriel: allowing needs confirmation, and there is no terminal\n"
              "  name the permission (oriel answer ses_1 perm_a allow), or add --yes\n");
  }
  ScriptedServer server({json_answer(kAsking), json_answer(R"({"permission_id":"perm_a"})")});
  options.permission = "perm_a";
  EXPECT_EQ(answer(server, options).code, 0);
}

TEST(R_TRUTH_1, ARefusalNeedsNoConfirmation) {
  ScriptedServer server({json_answer(kAsking), json_answer(R"({"permission_id":"perm_a"})")});
  AnswerOptions options;
  options.word = "deny";
  EXPECT_EQ(answer(server, options).code, 0);
}

TEST(SessionsCommand, AnswersTheNamedQuestion) {
  ScriptedServer server({json_answer(kAskingTwice), json_answer(R"({"permission_id":"perm_b"})")});
  AnswerOptions options;
  options.permission = "perm_b";
  options.texts = {"2"};
  EXPECT_EQ(answer(server, options).code, 0);
  EXPECT_EQ(last_line(server.requests().at(1)), R"({"answers":["y"]})");
}

TEST(SessionsCommand, RequiresANameIfSeveralPermissionsAreOpen) {
  ScriptedServer server({json_answer(kAskingTwice), json_answer(kAskingTwice),
                         json_answer(R"({"session_id":"ses_1","permissions":[]})")});
  AnswerOptions options;
  options.word = "allow";
  EXPECT_EQ(answer(server, options).err,
            "oriel: 2 permissions are open: name one\n"
            "  oriel sessions ses_1 shows its open questions\n");
  options.permission = "perm_";
  EXPECT_EQ(answer(server, options).err,
            "oriel: 2 permissions start with \"perm_\"\n  for example perm_a, perm_b\n");
  EXPECT_EQ(answer(server, options).err,
            "oriel: session ses_1 has no open question\n"
            "  oriel sessions ses_1 shows its open questions\n");
}

TEST(SessionsCommand, RejectsAnImpossibleAnswer) {
  ScriptedServer server({json_answer(kAsking)});
  AnswerOptions options;
  options.word = "perhaps";
  const Ran ran = answer(server, options);
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err, "oriel: \"perhaps\" is not a possible answer\n  allow, deny, once (Once)\n");
}

}  // namespace
}  // namespace oriel
