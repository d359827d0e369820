#include "mcp/server.h"

#include "base/eventually_testing.h"
#include "base/text/json_text.h"
#include "mcp/call.h"
#include "mcp/server_testing.h"
#include "mcp/sessions/session.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <atomic>
#include <thread>

namespace oriel::mcp {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using testing::HasSubstr;

asio::awaitable<RpcResult> greet(Call& call) {
  co_return text_result("hello " + call.principal().name);
}

asio::awaitable<RpcResult> be_slow(Call& call) {
  asio::steady_timer timer(call.shard().executor(), 10min);
  co_await timer.async_wait(asio::use_awaitable);
  co_return text_result("late");
}

constexpr auto kLastMoment = 200ms;  // more than a busy machine holds a thread up

// Ends when its time for a plain answer, kLastMoment, has run out and nobody has noticed yet.
asio::awaitable<RpcResult> end_at_the_last_moment(Call& call) {
  asio::steady_timer timer(call.shard().executor(), 0s);
  co_await timer.async_wait(asio::use_awaitable);
  timer.expires_at(asio::steady_timer::time_point::min());
  std::this_thread::sleep_for(kLastMoment + 20ms);
  co_await timer.async_wait(asio::use_awaitable);
  co_return text_result("just so");
}

asio::awaitable<RpcResult> count(Call& call) {
  for (int i = 1; i <= 3; ++i)
    call.log(LogLevel::kInfo, "test", i);
  co_return text_result("counted");
}

asio::awaitable<RpcResult> ask_name(Call& call) {
  std::vector<InputRequest> inputs = {
      {.key = "name", .method = "elicitation/create", .params = {{"message", "Who?"}}}};
  auto asking = call.ask(std::move(inputs));
  const InputAnswers answers = co_await std::move(asking);
  if (!answers) co_return answers.error();
  co_return text_result("hello " + json_text(answers->at("name").at("content").at("name")));
}

asio::awaitable<RpcResult> break_down(Call&) {
  throw std::runtime_error("a secret");
  co_return json::object();
}

Tool tool(std::string name, Handler handler, TaskSupport tasks = TaskSupport::kForbidden) {
  Tool tool;
  tool.name = std::move(name);
  tool.description = "a tool";
  tool.input_schema = {{"type", "object"}};
  tool.handler = std::move(handler);
  tool.tasks = tasks;
  return tool;
}

Catalog make_catalog() {
  Catalog catalog;
  catalog.name = "test";
  catalog.version = "1";
  catalog.purge_hint = "look elsewhere";
  catalog.tools = {tool("greet", greet),
                   tool("slow", be_slow),
                   tool("last_moment", end_at_the_last_moment),
                   tool("count", count),
                   tool("ask", ask_name),
                   tool("break", break_down),
                   tool("job", be_slow, TaskSupport::kOptional)};
  return catalog;
}

TEST(McpSessions, AgreeOnTheClientsVersionOrTheNewest) {
  TestServer server(make_catalog());
  for (const auto& [asked, agreed] :
       std::vector<std::pair<std::string, std::string>>{{"2025-03-26", "2025-03-26"},
                                                        {"2025-06-18", "2025-06-18"},
                                                        {"1999-01-01", "2025-11-25"}}) {
    const http::Response response =
        server.ask(post(rpc(1, "initialize", {{"protocolVersion", asked}})));
    EXPECT_EQ(body_of(response).at("result").at("protocolVersion").as_string(), agreed);
  }
}

TEST(McpSessions, AreFoundFromEveryShardByTheirPrincipalAlone) {
  TestServer server(make_catalog());
  const std::string session = begin_session(server);
  for (const std::size_t shard : {0, 1})
    EXPECT_EQ(server.ask(post(rpc(1, "ping"), session), shard).status, 200);
  http::Request foreign = post(rpc(1, "ping"), session);
  foreign.principal.name = "eve";
  EXPECT_EQ(server.ask(std::move(foreign)).status, 404);
  EXPECT_EQ(server.ask(post(rpc(1, "ping"), "unknown")).status, 404);
  EXPECT_EQ(server.ask(post(rpc(1, "ping"))).status, 400);
}

TEST(McpSessions, EndWithDelete) {
  TestServer server(make_catalog());
  const std::string session = begin_session(server);
  http::Request request = post("", session);
  request.method = "DELETE";
  EXPECT_EQ(server.ask(request).status, 204);
  EXPECT_EQ(server.ask(post(rpc(1, "ping"), session)).status, 404);
  EXPECT_EQ(server.ask(request).status, 404);
}

TEST(McpSessions, AreLimited) {
  TestServer server(make_catalog(), {.max_sessions = 1});
  begin_session(server);
  const http::Response second =
      server.ask(post(rpc(1, "initialize", {{"protocolVersion", "2025-11-25"}})));
  EXPECT_EQ(second.status, 503);
  EXPECT_EQ(header_of(second, "Retry-After"), "5");
}

http::Request initialize_as(std::string credential_id) {
  http::Request request = post(rpc(1, "initialize", {{"protocolVersion", "2025-11-25"}}));
  request.principal.credential_id = std::move(credential_id);
  return request;
}

TEST(R_AUTH_7, ACredentialAtItsLimitOfSessionsLeavesTheOthersTheirs) {
  TestServer server(make_catalog(), {.max_sessions_per_principal = 1});
  const http::Response first = server.ask(initialize_as("1"), 0);
  EXPECT_EQ(first.status, 200);
  const http::Response second = server.ask(initialize_as("1"), 1);
  EXPECT_EQ(second.status, 503);
  EXPECT_EQ(header_of(second, "Retry-After"), "5");
  EXPECT_THAT(std::string(body_of(second).at("error").at("message").as_string()),
              HasSubstr("limit of 1 MCP sessions per credential reached"));
  EXPECT_EQ(server.ask(initialize_as("2"), 1).status, 200);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(server.ask(initialize_as("")).status, 200) << "the operator";

  http::Request end = post("", header_of(first, "Mcp-Session-Id"));
  end.method = "DELETE";
  EXPECT_EQ(server.ask(end).status, 204);
  EXPECT_EQ(server.ask(initialize_as("1"), 1).status, 200) << "its place is free again";
  EXPECT_EQ(server.mcp().counts().refused_sessions_per_principal, 1U);
  EXPECT_EQ(server.mcp().counts().refused_sessions, 0U);
}

TEST(R_AUTH_7, ASessionThatAllTogetherHaveNoRoomForIsNotCountedForItsCredential) {
  TestServer server(make_catalog(), {.max_sessions = 1, .max_sessions_per_principal = 1});
  const http::Response others = server.ask(initialize_as("1"));
  EXPECT_EQ(server.ask(initialize_as("2")).status, 503);
  http::Request end = post("", header_of(others, "Mcp-Session-Id"));
  end.method = "DELETE";
  EXPECT_EQ(server.ask(end).status, 204);
  EXPECT_EQ(server.ask(initialize_as("2")).status, 200);
}

TEST(R_STREAM_3, AnIdleSessionEndsAndAnOpenStreamKeepsItAlive) {
  FakeClient client;
  TestServer server(make_catalog(), {.session_ttl = 100ms, .keep_alive = 200ms});
  const std::string idle = begin_session(server);
  const std::string watched = begin_session(server);
  http::Response stream = server.ask(get(watched));
  ASSERT_TRUE(server.shows(stream, client, "retry: "));
  EXPECT_TRUE(eventually([&] { return server.mcp().counts().sessions == 1; }));
  EXPECT_EQ(server.ask(post(rpc(1, "ping"), idle)).status, 404);
  EXPECT_EQ(server.ask(post(rpc(1, "ping"), watched)).status, 200);
}

TEST(R_STREAM_3, ASessionLivesOnAfterItsStreamHasEnded) {
  FakeClient client;
  TestServer server(make_catalog(), {.session_ttl = 2s, .keep_alive = 200ms});
  const std::string session = begin_session(server);
  http::Response stream = server.ask(get(session));
  ASSERT_TRUE(server.shows(stream, client, "retry: "));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(eventually([&] { return std::chrono::steady_clock::now() - begin > 2200ms; }));
  server.run(0, [&] { client.close(); });
  EXPECT_TRUE(eventually([&] { return server.mcp().counts().streams == 0; }));
  const auto end = std::chrono::steady_clock::now();
  EXPECT_TRUE(eventually([&] { return std::chrono::steady_clock::now() - end > 200ms; }));
  EXPECT_EQ(server.ask(post(rpc(1, "ping"), session)).status, 200);
}

TEST(McpSessions, AnUnsupportedVersionHeaderIsRefused) {
  TestServer server(make_catalog());
  http::Request request = post(rpc(1, "ping"), begin_session(server));
  request.headers.emplace_back("mcp-protocol-version", "2024-01-01");
  EXPECT_EQ(server.ask(std::move(request)).status, 400);
}

TEST(McpSessions, BatchesAreOfTheirEraOnly) {
  TestServer server(make_catalog());
  const std::string batch = "[" + rpc(1, "ping") + "," + call_tool(2, "greet") + "," +
                            rpc_notification("notifications/initialized", {}) + "]";
  EXPECT_EQ(server.ask(post(batch, begin_session(server))).status, 400);
  const http::Response response = server.ask(post(batch, begin_session(server, "2025-03-26")));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(json::parse(*response.body).as_array().size(), 2U);
}

TEST(R_AUTH_7, ASessionAtItsLimitOfRunningCallsIsRefusedUntilOneEnds) {
  TestServer server(make_catalog(), {.max_calls_per_session = 1});
  const std::string session = begin_session(server);
  EXPECT_EQ(server.ask(post(call_tool(1, "slow"), session)).status, 200);
  const http::Response refused = server.ask(post(call_tool(2, "greet"), session));
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(body_of(refused).at("id"), 2);
  EXPECT_THAT(std::string(body_of(refused).at("error").at("message").as_string()),
              HasSubstr("limit of 1 running calls per MCP session reached"));
  EXPECT_EQ(server.mcp().counts().refused_calls_per_session, 1U);
  EXPECT_EQ(server.ask(post(rpc(3, "ping"), session)).status, 200) << "is answered at once";
  EXPECT_EQ(server.ask(post(call_tool(2, "greet"), begin_session(server))).status, 200);

  server.ask(post(rpc_notification("notifications/cancelled", {{"requestId", 1}}), session));
  EXPECT_TRUE(
      eventually([&] { return server.ask(post(call_tool(4, "greet"), session)).status == 200; }));
}

TEST(R_AUTH_7, ABatchBeginsNoMoreCallsThanASessionMayRun) {
  TestServer server(make_catalog(), {.max_calls_per_session = 2});
  const std::string session = begin_session(server, "2025-03-26");
  const http::Response response =
      server.ask(post("[" + call_tool(1, "greet") + "," + call_tool(2, "greet") + "," +
                          rpc(3, "ping") + "," + call_tool(4, "greet") + "]",
                      session));
  EXPECT_EQ(response.status, 200);
  int refused = 0;
  const json::array answers = json::parse(*response.body).as_array();
  for (const json::value& answer : answers)
    if (answer.as_object().contains("error")) refused += answer.at("id") == 4 ? 1 : 100;
  EXPECT_EQ(answers.size(), 4U);
  EXPECT_EQ(refused, 1);
}

TEST(McpRequests, WrongOnesGetTheStatusOfTheirFault) {
  TestServer server(make_catalog());
  const std::string session = begin_session(server);
  http::Request not_json = post("{", session);
  EXPECT_EQ(server.ask(not_json).status, 400);
  EXPECT_EQ(body_of(server.ask(not_json)).at("error").at("code"), kParseError);
  EXPECT_EQ(body_of(server.ask(post("{}", session))).at("error").at("code"), kInvalidRequest);
  http::Request wrong_type = post(rpc(1, "ping"), session);
  wrong_type.headers[0].second = "text/plain";
  EXPECT_EQ(server.ask(std::move(wrong_type)).status, 415);
  http::Request wrong_accept = post(rpc(1, "ping"), session);
  wrong_accept.headers[1].second = "application/json";
  EXPECT_EQ(server.ask(std::move(wrong_accept)).status, 406);
  EXPECT_EQ(body_of(server.ask(post(rpc(1, "nothing"), session))).at("error").at("code"),
            kMethodNotFound);
  EXPECT_EQ(body_of(server.ask(post(call_tool(1, "nothing"), session))).at("error").at("code"),
            kInvalidParams);
}

TEST(McpRequests, AnAnswerToNothingIsTakenAndIgnored) {
  TestServer server(make_catalog());
  const std::string answer = rpc_result("ask-99", {});
  EXPECT_EQ(server.ask(post(answer, begin_session(server))).status, 202);
}

TEST(McpCalls, AQuickAnswerIsPlainJson) {
  TestServer server(make_catalog());
  const http::Response response = server.ask(post(call_tool(1, "greet"), begin_session(server)));
  EXPECT_EQ(header_of(response, "Content-Type"), "application/json");
  EXPECT_THAT(*response.body, HasSubstr("hello ada"));
}

TEST(McpCalls, AFailureTellsTheClientNothingOfItsCause) {
  TestServer server(make_catalog());
  const http::Response response = server.ask(post(call_tool(1, "break"), begin_session(server)));
  EXPECT_EQ(body_of(response).at("error").at("code"), kInternalError);
  EXPECT_THAT(*response.body, testing::Not(HasSubstr("secret")));
}

TEST(McpCalls, WhatACallSaysComesBeforeItsAnswerOnItsOwnStream) {
  FakeClient client;
  TestServer server(make_catalog());
  const std::string session = begin_session(server);
  server.ask(post(rpc(1, "logging/setLevel", {{"level", "info"}}), session));
  http::Response response = server.ask(post(call_tool(7, "count"), session));
  ASSERT_TRUE(server.shows(response, client, "counted"));
  EXPECT_EQ(client.events().size(), 4U);
  EXPECT_THAT(client.events().back(), HasSubstr("\"id\":7"));
}

TEST(R_LIVE_6, BeforeALevelIsSetNothingIsLogged) {
  TestServer server(make_catalog());
  const http::Response response = server.ask(post(call_tool(1, "count"), begin_session(server)));
  EXPECT_EQ(header_of(response, "Content-Type"), "application/json");
}

TEST(McpCalls, ASlowOneBecomesAStreamAndIsCancelledByItsId) {
  FakeClient client;
  TestServer server(make_catalog(), {.stream_after = 1ms});
  const std::string session = begin_session(server);
  http::Response response = server.ask(post(call_tool(7, "slow"), session));
  ASSERT_TRUE(server.shows(response, client, "retry: "));
  EXPECT_EQ(server.ask(post(call_tool(7, "greet"), session)).status, 400);  // the id is taken
  server.ask(post(rpc_notification("notifications/cancelled", {{"requestId", 7}}), session));
  EXPECT_TRUE(eventually([&] { return server.is_closed(client); }));
  EXPECT_TRUE(client.events().empty());
}

TEST(R_STREAM_3, BeyondTheLimitOfStreamsACallGets429) {
  Options options;
  options.stream_after = 1ms;
  options.streams.max_streams = 1;
  TestServer server(make_catalog(), std::move(options));
  const std::string session = begin_session(server);
  server.ask(post(call_tool(1, "slow"), session));
  EXPECT_EQ(server.ask(post(call_tool(2, "greet"), session)).status, 429);
  EXPECT_EQ(server.ask(post(rpc(3, "ping"), session)).status, 200);
}

TEST(McpCalls, AQuestionReachesTheClientAndItsAnswerTheCall) {
  FakeClient client;
  TestServer server(make_catalog());
  const std::string session =
      begin_session(server, "2025-11-25", {{"elicitation", json::object()}});
  http::Response response = server.ask(post(call_tool(1, "ask"), session));
  ASSERT_TRUE(server.shows(response, client, "elicitation/create"));
  const json::value question = json::parse(client.events().front());
  const json::object answer{{"action", "accept"}, {"content", {{"name", "Bob"}}}};
  EXPECT_EQ(server.ask(post(rpc_result(question.at("id"), answer), session)).status, 202);
  EXPECT_TRUE(server.shows(response, client, "Bob"));
}

TEST(McpCalls, AQuestionThatTheClientCannotTakeIsAnError) {
  TestServer server(make_catalog());
  const http::Response response = server.ask(post(call_tool(1, "ask"), begin_session(server)));
  EXPECT_EQ(body_of(response).at("error").at("code"), kMissingCapability);
}

TEST(R_RESUME_5, ASecondPlainGetIsRefusedAndOneWithItsLastEventTakesOver) {
  FakeClient first;
  FakeClient second;
  TestServer server(make_catalog());
  const std::string session = begin_session(server);
  http::Response stream = server.ask(get(session));
  ASSERT_TRUE(server.shows(stream, first, "retry: "));
  EXPECT_EQ(server.ask(get(session), 1).status, 409);
  http::Response again = server.ask(get(session, first.last_id()), 1);
  EXPECT_EQ(again.status, 200);
  ASSERT_TRUE(server.shows(again, second, "retry: ", 1));
}

TEST(R_RESUME_3, PurgedIs410WithWhatIsHeldAndWhereToLook) {
  FakeClient client;
  Options options;
  options.event_store_bytes = 1000;
  TestServer server(make_catalog(), std::move(options));
  const std::string session = begin_session(server);
  http::Response stream = server.ask(get(session));
  ASSERT_TRUE(server.shows(stream, client, "retry: "));
  const std::string id = client.last_id();
  server.run(0, [&] { client.close(); });
  for (int i = 0; i < 30; ++i)
    server.mcp().announce({.what = Change::What::kTools, .uri = {}, .task = {}});
  const http::Response response = server.ask(get(session, id));
  EXPECT_EQ(response.status, 410);
  const json::value error = body_of(response).at("error");
  EXPECT_EQ(error.at("code"), kEventsPurged);
  EXPECT_EQ(error.at("data").at("newest"), 30);
  EXPECT_THAT(std::string(error.at("message").as_string()), HasSubstr("look elsewhere"));
}

TEST(R_RESUME_3, AGetWithoutAnEventIsNotifiedOfWhatWasPurgedAndGetsTheRest) {
  FakeClient client;
  Options options;
  options.event_store_bytes = 1000;
  TestServer server(make_catalog(), std::move(options));
  const std::string session = begin_session(server);
  server.ask(post(rpc(1, "logging/setLevel", {{"level", "warning"}}), session));
  for (int i = 0; i < 30; ++i)
    server.mcp().announce({.what = Change::What::kTools, .uri = {}, .task = {}});
  http::Response stream = server.ask(get(session));
  EXPECT_EQ(stream.status, 200);
  EXPECT_TRUE(server.shows(stream, client, R"("type":"gap","missed":2)"));
  EXPECT_TRUE(server.shows(stream, client, "tools/list_changed"));
}

TEST(R_RESUME_8, AStreamThatIsCutBeforeItsFirstIdLosesNothing) {
  FakeClient cut;
  FakeClient next;
  TestServer server(make_catalog());
  const std::string session = begin_session(server);
  server.mcp().announce({.what = Change::What::kTools, .uri = {}, .task = {}});
  http::Response stream = server.ask(get(session));
  ASSERT_TRUE(server.shows(stream, cut, "tools/list_changed"));
  server.run(0, [&] { cut.close(); });
  http::Response again;
  for (int i = 0; i < 2000 && !again.take_over; ++i)
    again = server.ask(get(session));  // 409 until the server has noticed
  EXPECT_TRUE(server.shows(again, next, "tools/list_changed"));
  EXPECT_EQ(next.last_id(), cut.last_id());
}

TEST(McpLimits, SubscriptionsOfASessionAreLimited) {
  Options options;
  options.subscriptions = {.max_count = 2, .max_uri_bytes = 10};
  TestServer server(make_catalog(), std::move(options));
  const std::string session = begin_session(server);
  const auto ask = [&](const char* method, const std::string& uri) {
    const http::Response response = server.ask(post(rpc(1, method, {{"uri", uri}}), session));
    return !body_of(response).contains("error");
  };
  EXPECT_FALSE(ask("resources/subscribe", "a://0123456")) << "too long";
  EXPECT_TRUE(ask("resources/subscribe", "a://012345"));
  EXPECT_TRUE(ask("resources/subscribe", "a://2"));
  EXPECT_FALSE(ask("resources/subscribe", "a://3"));
  EXPECT_TRUE(ask("resources/subscribe", "a://2")) << "it is there already";
  EXPECT_TRUE(ask("resources/unsubscribe", "a://2"));
  EXPECT_TRUE(ask("resources/subscribe", "a://3"));
}

TEST(McpLimits, LongClientInfoIsRefused) {
  TestServer server(make_catalog());
  const json::object params{{"protocolVersion", "2025-11-25"},
                            {"clientInfo", {{"name", std::string(257, 'x')}}}};
  const http::Response response = server.ask(post(rpc(1, "initialize", params)));
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(body_of(response).at("error").at("message"), "clientInfo.name exceeds 256 bytes");
}

TEST(McpChanges, ASubscribedResourceIsTold) {
  FakeClient client;
  TestServer server(make_catalog());
  const std::string session = begin_session(server);
  http::Response stream = server.ask(get(session));
  ASSERT_TRUE(server.shows(stream, client, "retry: "));
  server.ask(post(rpc(1, "resources/subscribe", {{"uri", "a://1"}}), session));
  server.mcp().announce({.what = Change::What::kResource, .uri = "a://2", .task = {}});
  server.mcp().announce({.what = Change::What::kResource, .uri = "a://1", .task = {}});
  ASSERT_TRUE(server.shows(stream, client, "a://1"));
  EXPECT_EQ(client.events().size(), 1U);
}

Change change_in(const char* project_id, Change::What what, std::string uri = {}) {
  return {.what = what,
          .uri = std::move(uri),
          .task = {},
          .projects = std::set<std::string>{project_id}};
}

// The last one shows that all before it were decided upon.
void announce_in_two_projects(Server& server) {
  server.announce(change_in("api", Change::What::kResource, "a://1"));
  server.announce(change_in("api", Change::What::kResources));
  server.announce(change_in("web", Change::What::kResource, "a://2"));
}

http::Request limited_to_web(http::Request request) {
  request.principal.projects = {"web"};
  return request;
}

TEST(R_AUTH_3, ASubscriberIsToldNothingOfProjectsThatItDoesNotSee) {
  FakeClient client;
  TestServer server(make_catalog());
  const http::Response begun =
      server.ask(limited_to_web(post(rpc(0, "initialize", {{"protocolVersion", "2025-11-25"}}))));
  const std::string session = header_of(begun, "Mcp-Session-Id");
  http::Response stream = server.ask(limited_to_web(get(session)));
  ASSERT_TRUE(server.shows(stream, client, "retry: "));
  for (const char* uri : {"a://1", "a://2"})
    server.ask(limited_to_web(post(rpc(1, "resources/subscribe", {{"uri", uri}}), session)));
  announce_in_two_projects(server.mcp());
  ASSERT_TRUE(server.shows(stream, client, "a://2"));
  EXPECT_EQ(client.events().size(), 1U);
}

TEST(R_AUTH_3, AListenerIsToldNothingOfProjectsThatItDoesNotSee) {
  FakeClient client;
  TestServer server(make_catalog());
  json::object wanted;
  wanted["notifications"] = json::object{{"resourcesListChanged", true},
                                         {"resourceSubscriptions", json::array{"a://1", "a://2"}}};
  http::Response response =
      server.ask(limited_to_web(modern(9, "subscriptions/listen", std::move(wanted))));
  ASSERT_TRUE(server.shows(response, client, "subscriptions/acknowledged"));
  announce_in_two_projects(server.mcp());
  ASSERT_TRUE(server.shows(response, client, "resources/updated"));
  EXPECT_EQ(client.events().size(), 2U) << "the acknowledgement, and a://2";
  EXPECT_THAT(client.events().back(), HasSubstr("a://2"));
}

TEST(Stateless, AnswersNameTheirTypeAndWhoAnswers) {
  TestServer server(make_catalog());
  const http::Response response = server.ask(modern(1, "tools/call", {{"name", "greet"}}));
  const json::object body = body_of(response);
  EXPECT_EQ(body.at("result").at("resultType"), "complete");
  EXPECT_EQ(body.at("result").at("_meta").at("io.modelcontextprotocol/serverInfo").at("name"),
            "test");
}

TEST(Stateless, ACallThatHasToAskComesAgainWithTheAnswer) {
  TestServer server(make_catalog());
  const json::object can{{"elicitation", json::object()}};
  const json::object first =
      body_of(server.ask(modern(1, "tools/call", {{"name", "ask"}}, can))).at("result").as_object();
  EXPECT_EQ(first.at("resultType"), "input_required");
  const json::object answer{{"action", "accept"}, {"content", {{"name", "Bob"}}}};
  const http::Response second = server.ask(modern(2, "tools/call",
                                                  {{"name", "ask"},
                                                   {"requestState", first.at("requestState")},
                                                   {"inputResponses", {{"name", answer}}}},
                                                  can));
  EXPECT_THAT(*second.body, HasSubstr("Bob"));
}

TEST(Stateless, AnAnswerInTheMomentInWhichItWouldBecomeAStreamIsNotLost) {
  TestServer server(make_catalog(), {.stream_after = kLastMoment});
  const http::Response response = server.ask(modern(1, "tools/call", {{"name", "last_moment"}}));
  ASSERT_FALSE(response.take_over);
  EXPECT_THAT(*response.body, HasSubstr("just so"));
}

TEST(Stateless, AClientThatGoesCancelsItsCall) {
  FakeClient client;
  TestServer server(make_catalog(), {.stream_after = 1ms});
  http::Response response = server.ask(modern(1, "tools/call", {{"name", "slow"}}));
  ASSERT_TRUE(response.take_over);
  server.run(0, [&] {
    response.take_over(std::make_unique<FakeTransport>(client), "head");
    client.close();
  });  // the server stops only once the call has ended
}

TEST(Stateless, ATaskRunsOnAndIsCancelledByItsOwnerAlone) {
  TestServer server(make_catalog());
  json::object can;
  can["extensions"].emplace_object()[kTasksExtension] = json::object();
  const json::value created =
      body_of(server.ask(modern(1, "tools/call", {{"name", "job"}}, can))).at("result");
  ASSERT_EQ(created.at("resultType"), "task");
  const json::object id{{"taskId", created.at("taskId")}};
  for (const std::size_t shard : {0, 1}) {
    const auto status = body_of(server.ask(modern(2, "tasks/get", id, can), shard));
    EXPECT_EQ(status.at("result").at("status"), "working");
  }
  http::Request foreign = modern(3, "tasks/cancel", id, can);
  foreign.principal.name = "eve";
  EXPECT_EQ(body_of(server.ask(std::move(foreign))).at("error").at("code"), kInvalidParams);
  EXPECT_EQ(server.ask(modern(4, "tasks/cancel", id, can)).status, 200);
  const auto after = body_of(server.ask(modern(5, "tasks/get", id, can)));
  EXPECT_EQ(after.at("result").at("status"), "cancelled");
}

TEST(R_AUTH_7, ACredentialAtItsLimitOfTasksLeavesTheOthersTheirs) {
  TestServer server(make_catalog(), {.max_tasks_per_principal = 1});
  json::object can;
  can["extensions"].emplace_object()[kTasksExtension] = json::object();
  const auto start_as = [&](std::string credential_id) {
    http::Request request = modern(1, "tools/call", {{"name", "job"}}, can);
    request.principal.credential_id = std::move(credential_id);
    return body_of(server.ask(std::move(request)));
  };
  EXPECT_TRUE(start_as("1").contains("result"));
  EXPECT_THAT(std::string(start_as("1").at("error").at("message").as_string()),
              HasSubstr("limit of 1 tasks per credential reached"));
  EXPECT_TRUE(start_as("2").contains("result"));
  EXPECT_TRUE(start_as("").contains("result")) << "the operator";
  EXPECT_TRUE(start_as("").contains("result"));
}

// Options of a server whose principals lose their access as soon as `is_valid` is false.
Options revocable(std::atomic<bool>& is_valid) {
  Options options;
  options.keep_alive = 200ms;  // a tick every 50 ms
  options.is_valid = [&is_valid](const Principal& principal) {
    return is_valid || principal.credential_id != "1";
  };
  return options;
}

TEST(R_AUTH_2, RevocationEndsASessionAndItsStream) {
  FakeClient client;
  std::atomic<bool> is_valid = true;
  TestServer server(make_catalog(), revocable(is_valid));
  const std::string session = begin_session(server);
  http::Response stream = server.ask(get(session));
  ASSERT_TRUE(server.shows(stream, client, "retry: "));
  is_valid = false;
  EXPECT_TRUE(eventually([&] { return server.mcp().counts().sessions == 0; }));
  EXPECT_TRUE(eventually([&] { return server.is_closed(client); }));
}

TEST(R_AUTH_2, RevocationEndsAStatelessListener) {
  FakeClient client;
  std::atomic<bool> is_valid = true;
  TestServer server(make_catalog(), revocable(is_valid));
  http::Response response = server.ask(
      modern(9, "subscriptions/listen", {{"notifications", {{"toolsListChanged", true}}}}));
  ASSERT_TRUE(server.shows(response, client, "subscriptions/acknowledged"));
  is_valid = false;
  EXPECT_TRUE(eventually([&] { return server.is_closed(client); }));
}

TEST(R_AUTH_2, RevocationEndsATask) {
  std::atomic<bool> is_valid = true;
  TestServer server(make_catalog(), revocable(is_valid));
  json::object can;
  can["extensions"].emplace_object()[kTasksExtension] = json::object();
  const json::value created =
      body_of(server.ask(modern(1, "tools/call", {{"name", "job"}}, can))).at("result");
  const json::object id{{"taskId", created.at("taskId")}};
  const auto is_known = [&] {
    return body_of(server.ask(modern(2, "tasks/get", id, can))).contains("result");
  };
  EXPECT_TRUE(is_known());
  is_valid = false;
  EXPECT_TRUE(eventually([&] { return !is_known(); }));
}

TEST(Stateless, AListenerIsAcknowledgedAndThenNotifiedWithItsSubscriptionId) {
  FakeClient client;
  TestServer server(make_catalog());
  http::Response response = server.ask(
      modern(9, "subscriptions/listen", {{"notifications", {{"toolsListChanged", true}}}}));
  ASSERT_TRUE(server.shows(response, client, "subscriptions/acknowledged"));
  server.mcp().announce({.what = Change::What::kPrompts, .uri = {}, .task = {}});
  server.mcp().announce({.what = Change::What::kTools, .uri = {}, .task = {}});
  ASSERT_TRUE(server.shows(response, client, "tools/list_changed"));
  for (const std::string& event : client.events())
    EXPECT_THAT(event, HasSubstr("\"io.modelcontextprotocol/subscriptionId\":9"));
  EXPECT_THAT(client.received, testing::Not(HasSubstr("prompts")));
}

TEST(Stateless, AListenerIsNotifiedOfItsOwnTasksOnly) {
  FakeClient owner;
  FakeClient eve;
  TestServer server(make_catalog());
  json::object can;
  can["extensions"].emplace_object()[kTasksExtension] = json::object();
  const json::value created =
      body_of(server.ask(modern(1, "tools/call", {{"name", "job"}}, can))).at("result");
  const json::object id{{"taskId", created.at("taskId")}};
  json::object wanted;
  wanted["notifications"].emplace_object()["taskIds"] = {created.at("taskId")};
  http::Response owners = server.ask(modern(2, "subscriptions/listen", wanted, can));
  ASSERT_TRUE(server.shows(owners, owner, "subscriptions/acknowledged"));
  http::Request foreign = modern(3, "subscriptions/listen", wanted, can);
  foreign.principal.name = "eve";
  http::Response eves = server.ask(std::move(foreign));
  ASSERT_TRUE(server.shows(eves, eve, "subscriptions/acknowledged"));

  server.ask(modern(4, "tasks/cancel", id, can));
  ASSERT_TRUE(server.shows(owners, owner, "notifications/tasks"));
  EXPECT_THAT(owner.events().back(), HasSubstr("\"status\":\"cancelled\""));
  const std::string task(created.at("taskId").as_string());
  server.run(0, [&] { EXPECT_THAT(eve.received, testing::Not(HasSubstr(task))); });
}

}  // namespace
}  // namespace oriel::mcp
