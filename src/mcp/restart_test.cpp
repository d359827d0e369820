#include "base/eventually_testing.h"
#include "base/mutex.h"
#include "base/text/json_access.h"
#include "base/text/json_text.h"
#include "base/time.h"
#include "mcp/call.h"
#include "mcp/server_testing.h"
#include "mcp/streams/event_id.h"

#include <gmock/gmock.h>

#include <atomic>
#include <future>
#include <list>
#include <map>

namespace oriel::mcp {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Keeps entries in memory, as a journal would on disk. A save takes as long as on a disk, so that
// what is reported before it is saved is found missing.
class MemoryArchive : public Archive {
 public:
  asio::awaitable<Result<void>> save(std::vector<ArchiveEntry> entries) override {
    asio::steady_timer disk(co_await asio::this_coro::executor, std::chrono::milliseconds(5));
    co_await disk.async_wait(asio::use_awaitable);
    co_return store(std::move(entries));
  }

  // A query for all of one kind waits while they are held.
  asio::awaitable<std::vector<ArchiveEntry>> load(ArchiveQuery query) override {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    while (query.prefix == "mcp/session/" && holds_pages_) {
      timer.expires_after(1ms);
      co_await timer.async_wait(asio::use_awaitable);
    }
    co_return select(query);
  }

  void hold_pages() { holds_pages_ = true; }

  void release_pages() { holds_pages_ = false; }

  std::map<std::string, std::string> all() {
    const MutexLock lock(mutex_);
    return entries_;
  }

  void replace(std::map<std::string, std::string> entries) {
    const MutexLock lock(mutex_);
    entries_ = std::move(entries);
  }

  std::string value(const std::string& key) { return all()[key]; }

  // As if the client had used its session that long ago.
  void age_session(const std::string& id, std::chrono::milliseconds age) {
    const std::string key = "mcp/session/" + id;
    json::object state = parse_object(value(key));
    state["used"] = unix_milliseconds(wall_now() - age);
    const MutexLock lock(mutex_);
    entries_[key] = json_text(state);
  }

  // Waits until it has that many entries.
  bool comes_to(std::size_t count) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (all().size() != count && std::chrono::steady_clock::now() < deadline)
      std::this_thread::yield();
    return all().size() == count;
  }

  void break_down() {
    const MutexLock lock(mutex_);
    is_broken_ = true;
  }

 private:
  Result<void> store(std::vector<ArchiveEntry> entries) {
    const MutexLock lock(mutex_);
    if (is_broken_) return Error{ErrorKind::kJournalFailed, "the disk is full", {}};
    for (ArchiveEntry& entry : entries) {
      if (entry.value.empty()) {
        entries_.erase(entry.key);
      } else {
        entries_[entry.key] = std::move(entry.value);
      }
    }
    return {};
  }

  std::vector<ArchiveEntry> select(const ArchiveQuery& query) {
    const MutexLock lock(mutex_);
    std::vector<ArchiveEntry> found;
    for (const auto& [key, value] : entries_) {
      if (key.starts_with(query.prefix) && key > query.after && found.size() < query.max_entries)
        found.push_back({.key = key, .value = value});
    }
    return found;
  }

  Mutex mutex_;  // shards write, tests read
  std::map<std::string, std::string> entries_ GUARDED_BY(mutex_);
  bool is_broken_ GUARDED_BY(mutex_) = false;
  std::atomic<bool> holds_pages_ = false;
};

// Says its name, and ends when it has been run again.
asio::awaitable<RpcResult> work(Call& call) {
  call.notify("notifications/message", {{"data", "working on " + call.stable_id()}}, 1);
  const auto* const is_done = call.arguments().if_contains("done");
  if (is_done == nullptr) {
    asio::steady_timer timer(call.shard().executor(), std::chrono::minutes(10));
    co_await timer.async_wait(asio::use_awaitable);
  }
  co_return text_result("done by " + call.stable_id());
}

// Asks a question and returns with its answer.
asio::awaitable<RpcResult> ask_person(Call& call) {
  std::vector<InputRequest> inputs;
  inputs.push_back({.key = "q", .method = "elicitation/create", .params = {{"message", "ok?"}}});
  auto asking = call.ask(std::move(inputs));
  const auto answers = co_await std::move(asking);
  if (!answers) co_return answers.error();
  co_return text_result("answered " + json_text(*answers));
}

// Goes on where it was, if it was cut after its first step.
asio::awaitable<RpcResult> work_in_steps(Call& call) {
  const json::object kept = call.kept();
  if (!kept.empty()) {
    call.progress(2, 2, "the second step");
    co_return text_result("after " + text_at(kept, "done") +
                          (call.client_can("roots") ? " of a client with roots" : ""));
  }
  call.keep({{"done", "the first step"}});
  call.progress(1, 2, "the first step");
  asio::steady_timer timer(call.shard().executor(), std::chrono::minutes(10));
  co_await timer.async_wait(asio::use_awaitable);
  co_return text_result("never");
}

// The id of the newest question that the client was asked.
std::string question_in(const FakeClient& client) {
  std::string id;
  for (const std::string& event : client.events()) {
    const json::object message = json::parse(event).as_object();
    if (text_at(message, "method") == "elicitation/create") id = text_at(message, "id");
  }
  return id;
}

json::object elicitation() {
  return {{"elicitation", json::object()}};
}

Catalog make_resumable_catalog(bool can_run_again = true) {
  Tool tool;
  tool.name = "work";
  tool.description = "a tool";
  tool.input_schema = {{"type", "object"}};
  tool.handler = work;
  tool.tasks = TaskSupport::kOptional;
  if (can_run_again) tool.can_run_again = [](const json::object&) { return true; };
  Catalog catalog;
  catalog.name = "test";
  catalog.version = "1";
  catalog.tools = {std::move(tool)};
  return catalog;
}

// A server that is restarted with what its archive has at that moment, as after a kill.
class Restarted : public testing::Test {
 protected:
  Restarted() { start(make_resumable_catalog()); }

  void start(Catalog catalog) {
    Options options = options_;
    options.archive = &archive_;
    server_ = std::make_unique<TestServer>(std::move(catalog), std::move(options));
  }

  void restart() { restart(make_resumable_catalog()); }

  void restart(Catalog catalog) {
    auto before = archive_.all();
    server_.reset();
    archive_.replace(std::move(before));
    start(std::move(catalog));
  }

  // Outlives its connections, which end with the server.
  FakeClient& new_client() { return clients_.emplace_back(); }

  int status_of(const std::string& session) {
    return server_->ask(post(rpc(1, "ping"), session)).status;
  }

  MemoryArchive archive_;
  Options options_;
  std::list<FakeClient> clients_;
  std::unique_ptr<TestServer> server_;
};

using R_DURABLE_1 = Restarted;
using R_DURABLE_2 = Restarted;
using R_DURABLE_3 = Restarted;

TEST_F(R_DURABLE_1, ASessionIsUsedAfterARestartAsBefore) {
  const std::string session = begin_session(*server_);
  restart();
  EXPECT_EQ(status_of(session), 200);
  restart();
  EXPECT_EQ(status_of(session), 200);
}

TEST_F(R_DURABLE_1, ACallAfterARestartStreamsItsMessagesAndIsResumed) {
  FakeClient& first = new_client();
  FakeClient& second = new_client();
  const std::string session = begin_session(*server_);
  restart();
  http::Response call = server_->ask(post(call_tool(7, "work"), session));
  ASSERT_TRUE(server_->shows(call, first, "working on"));
  http::Response again = server_->ask(get(session, first.last_id()));
  EXPECT_TRUE(server_->shows(again, second, "retry: "));
  EXPECT_THAT(second.received, Not(HasSubstr("working on")));
}

TEST_F(R_DURABLE_1, ASessionOfAnotherPrincipalStaysUnknownAfterARestart) {
  const std::string session = begin_session(*server_);
  restart();
  http::Request foreign = post(rpc(1, "ping"), session);
  foreign.principal.credential_id = "2";
  EXPECT_EQ(server_->ask(std::move(foreign)).status, 404);
  EXPECT_EQ(status_of(session), 200);
}

TEST_F(R_DURABLE_1, AnEndedSessionStaysEnded) {
  const std::string session = begin_session(*server_);
  http::Request request = post("", session);
  request.method = "DELETE";
  EXPECT_EQ(server_->ask(std::move(request)).status, 204);
  EXPECT_TRUE(archive_.comes_to(1)) << "the removal is saved soon, not before the response";
  restart();
  EXPECT_EQ(status_of(session), 404);
}

TEST_F(R_DURABLE_1, ASessionThatEndsDuringACallStaysEnded) {
  FakeClient& client = new_client();
  server_.reset();
  start([] {
    Catalog catalog = make_resumable_catalog();
    catalog.tools[0].handler = ask_person;
    return catalog;
  }());
  const std::string session = begin_session(*server_, "2025-11-25", elicitation());
  http::Response call = server_->ask(post(call_tool(7, "work"), session));
  ASSERT_TRUE(server_->shows(call, client, "elicitation/create"));
  http::Request request = post("", session);
  request.method = "DELETE";
  EXPECT_EQ(server_->ask(std::move(request)).status, 204);
  EXPECT_TRUE(archive_.comes_to(1)) << "the server's key";
  restart();
  EXPECT_EQ(status_of(session), 404);
}

TEST_F(R_DURABLE_1, LevelAndSubscriptionsAreKept) {
  FakeClient& client = new_client();
  const std::string session = begin_session(*server_);
  server_->ask(post(rpc(1, "resources/subscribe", {{"uri", "a://1"}}), session));
  restart();
  http::Response stream = server_->ask(get(session));
  EXPECT_TRUE(server_->shows(stream, client, R"("uri":"a://1")"))
      << "it may have changed meanwhile";
  server_->mcp().announce({.what = Change::What::kResource, .uri = "a://1", .task = {}});
  EXPECT_TRUE(server_->shows(stream, client, "resources/updated"));
}

TEST_F(R_DURABLE_1, ADiskThatIsFullHoldsNoClientUp) {
  archive_.break_down();
  const std::string session = begin_session(*server_);
  EXPECT_EQ(status_of(session), 200);
}

TEST_F(R_DURABLE_1, SavedTextThatIsNotASessionIsAnUnknownSession) {
  server_.reset();
  archive_.replace({{"mcp/session/abc", "{}"},
                    {"mcp/session/", "["},
                    {"mcp/call/", "1"},
                    {"mcp/call/abc/x", "1"},
                    {"mcp/task/x", "null"},
                    {"mcp", ""}});
  start(make_resumable_catalog());
  EXPECT_EQ(status_of("abc"), 404);
}

TEST_F(R_DURABLE_1, ARequestBeforeTheSessionsAreReadIsAnswered) {
  FakeClient& before = new_client();
  FakeClient& after = new_client();
  const std::string session = begin_session(*server_);
  http::Response call = server_->ask(post(call_tool(7, "work"), session));
  ASSERT_TRUE(server_->shows(call, before, "working on"));
  archive_.hold_pages();
  restart();
  EXPECT_EQ(status_of(session), 200);
  http::Response again = server_->ask(get(session, before.last_id()));
  ASSERT_TRUE(server_->shows(again, after, "retry: "));
  EXPECT_EQ(parse_event_id(after.last_id())->stream, parse_event_id(before.last_id())->stream)
      << "its call runs again";
  EXPECT_EQ(server_->mcp().counts().sessions, 1U);
  archive_.release_pages();
  begin_session(*server_);  // waits until they are read
  EXPECT_EQ(server_->mcp().counts().sessions, 2U) << "it is counted once";
  EXPECT_EQ(status_of(session), 200);
}

TEST_F(R_DURABLE_1, ASessionThatEndsBeforeTheOthersAreReadStaysEnded) {
  const std::string session = begin_session(*server_);
  const std::string ended = begin_session(*server_);
  const auto before = archive_.all();
  archive_.hold_pages();
  restart();
  http::Request request = post("", ended);
  request.method = "DELETE";
  EXPECT_EQ(server_->ask(std::move(request)).status, 204);
  ASSERT_TRUE(archive_.comes_to(before.size() - 1));
  archive_.replace(before);  // as if the removal were not stored yet
  EXPECT_EQ(status_of(ended), 404);
  EXPECT_EQ(status_of("unknown"), 404);
  archive_.release_pages();
  begin_session(*server_);
  EXPECT_EQ(status_of(ended), 404);
  EXPECT_EQ(status_of(session), 200);
  EXPECT_EQ(server_->mcp().counts().sessions, 2U);
}

TEST_F(R_DURABLE_1, TheTimeToLiveGoesOnThroughARestart) {
  const std::string old = begin_session(*server_);
  const std::string fresh = begin_session(*server_);
  archive_.age_session(old, options_.session_ttl + 1s);
  archive_.age_session(fresh, options_.session_ttl - 60s);
  archive_.hold_pages();
  restart();
  EXPECT_EQ(status_of(old), 404) << "before they are read";
  archive_.release_pages();
  EXPECT_TRUE(archive_.comes_to(2)) << "the server's key and the other session";
  EXPECT_EQ(status_of(old), 404);
  EXPECT_EQ(status_of(fresh), 200);
}

TEST_F(R_DURABLE_1, ASessionWhoseClientStaysAwayExpiresWithItsCalls) {
  FakeClient& client = new_client();
  const std::string session = begin_session(*server_);
  http::Response call = server_->ask(post(call_tool(7, "work"), session));
  ASSERT_TRUE(server_->shows(call, client, "working on"));
  archive_.age_session(session, options_.session_ttl - 200ms);
  restart();
  EXPECT_TRUE(archive_.comes_to(1)) << "the server's key";
  EXPECT_EQ(status_of(session), 404);
  EXPECT_EQ(server_->mcp().counts().sessions, 0U);
}

TEST_F(R_DURABLE_1, TheLastUseOfASessionIsSavedWhileAStreamIsOpen) {
  options_.session_ttl = 400ms;
  options_.keep_alive = 200ms;
  restart();
  FakeClient& client = new_client();
  const std::string session = begin_session(*server_);
  http::Response stream = server_->ask(get(session));
  ASSERT_TRUE(server_->shows(stream, client, "retry: "));
  const auto used = [&] {
    return number_of(member(parse_object(archive_.value("mcp/session/" + session)), "used"))
        .value();
  };
  const std::int64_t at_first = used();
  EXPECT_TRUE(eventually([&] { return used() - at_first > 2 * options_.session_ttl.count(); }));
}

TEST_F(R_DURABLE_1, SleepingSessionsCountInTheLimitOfTheirCredentialAndAlwaysReopen) {
  options_.max_sessions_per_principal = 2;
  restart();
  const std::string first = begin_session(*server_);
  const std::string second = begin_session(*server_);
  const auto status_of_another = [this] {
    return server_->ask(post(rpc(0, "initialize", {{"protocolVersion", "2025-11-25"}}))).status;
  };
  restart();
  EXPECT_EQ(status_of_another(), 503);
  EXPECT_EQ(server_->mcp().counts().sessions, 2U);
  EXPECT_EQ(status_of(first), 200);
  EXPECT_EQ(status_of_another(), 503);
  options_.max_sessions_per_principal = 1;
  restart();
  EXPECT_EQ(status_of(first), 200);
  EXPECT_EQ(status_of(second), 200) << "the limit was lowered, and ends no session";
  EXPECT_EQ(status_of_another(), 503);
}

TEST_F(R_DURABLE_3, ATaskIsKnownBeforeTheSessionsAreRead) {
  const json::object tasks{{"extensions", {{"io.modelcontextprotocol/tasks", json::object()}}}};
  const http::Response created = server_->ask(
      modern(1, "tools/call", {{"name", "work"}, {"arguments", json::object()}}, tasks));
  const std::string id(body_of(created).at("result").at("taskId").as_string());
  archive_.hold_pages();
  restart();
  auto asking = std::async(std::launch::async, [&] {
    return server_->ask(modern(2, "tasks/get", {{"taskId", id}}, tasks));
  });
  EXPECT_EQ(asking.wait_for(100ms), std::future_status::timeout);
  archive_.release_pages();
  const http::Response got = asking.get();
  EXPECT_EQ(body_of(got).at("result").at("status"), "working");
}

TEST_F(R_DURABLE_2, AStreamContinuesFromItsEventIdAfterARestart) {
  FakeClient& before = new_client();
  FakeClient& after = new_client();
  const std::string session = begin_session(*server_);
  http::Response stream = server_->ask(get(session));
  server_->mcp().announce({.what = Change::What::kTools, .uri = {}, .task = {}});
  ASSERT_TRUE(server_->shows(stream, before, "tools/list_changed"));
  restart();
  http::Response again = server_->ask(get(session, before.last_id()));
  EXPECT_EQ(again.status, 200);
  server_->mcp().announce({.what = Change::What::kPrompts, .uri = {}, .task = {}});
  ASSERT_TRUE(server_->shows(again, after, "prompts/list_changed"));
  EXPECT_THAT(after.received, Not(HasSubstr("tools/list_changed")));
}

TEST_F(R_DURABLE_3, ACallThatCanRunAgainEndsWithItsResultAfterARestart) {
  FakeClient& before = new_client();
  FakeClient& after = new_client();
  const std::string session = begin_session(*server_);
  http::Response call = server_->ask(post(call_tool(7, "work"), session));
  ASSERT_TRUE(server_->shows(call, before, "working on"));
  const std::string id = before.last_id();
  restart([] {
    Catalog catalog = make_resumable_catalog();
    catalog.tools[0].handler = [](Call& call) -> asio::awaitable<RpcResult> {
      call.notify("notifications/message", {{"data", "working on it again"}}, 1);
      co_return text_result("done by " + call.stable_id());
    };
    return catalog;
  }());
  http::Response again = server_->ask(get(session, id));
  ASSERT_TRUE(server_->shows(again, after, "done by " + parse_event_id(id)->stream));
  EXPECT_THAT(after.received, HasSubstr(R"("id":7)"));
  EXPECT_THAT(after.received, Not(HasSubstr("working on it again"))) << "the client has that event";
}

TEST_F(R_DURABLE_3, ACallThatCannotRunAgainEndsWithAnErrorAfterARestart) {
  FakeClient& before = new_client();
  FakeClient& after = new_client();
  restart(make_resumable_catalog(false));
  const std::string session = begin_session(*server_);
  http::Response call = server_->ask(post(call_tool(7, "work"), session));
  ASSERT_TRUE(server_->shows(call, before, "working on"));
  restart(make_resumable_catalog(false));
  http::Response again = server_->ask(get(session, before.last_id()));
  ASSERT_TRUE(server_->shows(again, after, R"("id":7)"));
  EXPECT_THAT(after.received, HasSubstr("restarted while this call ran"));
}

TEST_F(R_DURABLE_3, AQuestionFromBeforeARestartIsWithdrawnAndItsAnswerIsForNoOther) {
  FakeClient& before = new_client();
  FakeClient& after = new_client();
  const auto make_asking = [] {
    Catalog catalog = make_resumable_catalog();
    catalog.tools[0].handler = ask_person;
    return catalog;
  };
  server_.reset();
  start(make_asking());
  const std::string session = begin_session(*server_, "2025-11-25", elicitation());
  http::Response call = server_->ask(post(call_tool(7, "work"), session));
  ASSERT_TRUE(server_->shows(call, before, "elicitation/create"));
  const std::string asked = question_in(before);
  restart(make_asking());
  http::Response again = server_->ask(get(session, before.last_id()));
  ASSERT_TRUE(server_->shows(again, after, R"("requestId":")" + asked));
  ASSERT_TRUE(server_->shows(again, after, "elicitation/create"));
  EXPECT_NE(question_in(after), asked);
  server_->ask(post(rpc_result(json::string(asked), {{"action", "decline"}}), session));
  server_->ask(post(rpc_result(json::string(question_in(after)), {{"action", "accept"}}), session));
  ASSERT_TRUE(server_->shows(again, after, "answered"));
  EXPECT_THAT(after.received, HasSubstr("accept"));
  EXPECT_THAT(after.received, Not(HasSubstr("decline")));
}

TEST_F(R_DURABLE_3, ACallWithoutASessionEndsWithAnErrorWhenTheServerStops) {
  FakeClient& client = new_client();
  http::Response call =
      server_->ask(modern(7, "tools/call", {{"name", "work"}, {"arguments", json::object()}}));
  ASSERT_TRUE(server_->shows(call, client, "working on"));
  server_.reset();
  EXPECT_THAT(client.received, HasSubstr(R"("id":7)"));
  EXPECT_THAT(client.received, HasSubstr("the server stopped while this call ran; call it again"));
}

TEST_F(R_DURABLE_3, AClientThatResumesACallWithoutASessionGetsAnErrorAfterARestart) {
  options_.stream_after = 1ms;
  options_.prime_after = 50ms;
  restart();
  FakeClient& client = new_client();
  http::Response call =
      server_->ask(modern(7, "tools/call", {{"name", "work"}, {"arguments", json::object()}}));
  ASSERT_TRUE(server_->shows(call, client, "retry: "));
  const std::string id = client.last_id();
  restart();
  const http::Response end = server_->ask(get("", id));
  EXPECT_EQ(end.status, 200);
  EXPECT_EQ(header_of(end, "Content-Type"), "text/event-stream");
  EXPECT_THAT(*end.body, HasSubstr(R"("id":7)"));
  EXPECT_THAT(*end.body, HasSubstr("the connection of this call was lost"));
  for (const std::string wrong : {"", "x", "--0-7-", "s-a-0-7-1", "-a-0-.-1", "-a-0-.7b.7d-1"})
    EXPECT_EQ(server_->ask(get("", wrong)).status, 400) << wrong;
}

// A call without a session whose handler keeps its state. It has an event id at once.
class R_DURABLE_3_Stateless : public Restarted {
 protected:
  R_DURABLE_3_Stateless() {
    options_.prime_after = 1min;
    restart_with_steps();
  }

  void restart_with_steps() {
    Catalog catalog = make_resumable_catalog();
    catalog.tools[0].handler = work_in_steps;
    restart(std::move(catalog));
  }

  // Its event id.
  std::string cut_call(const json::value& token = 5) {
    EXPECT_TRUE(archive_.comes_to(1)) << "the server's key";
    FakeClient& client = new_client();
    http::Request request =
        modern(7, "tools/call", {{"name", "work"}}, {{"roots", json::object()}});
    json::object body = parse_object(request.body);
    body["params"].as_object()["_meta"].as_object()["progressToken"] = token;
    request.body = json_text(body);
    http::Response call = server_->ask(std::move(request));
    EXPECT_TRUE(server_->shows(call, client, "the first step"));
    EXPECT_TRUE(server_->shows(call, client, "retry: "));
    return client.last_id();
  }
};

TEST_F(R_DURABLE_3_Stateless, GoesOnAfterARestartWhenItsClientResumesItsStream) {
  const std::string id = cut_call();
  restart_with_steps();
  FakeClient& client = new_client();
  http::Response resumed = server_->ask(get("", id));
  EXPECT_EQ(header_of(resumed, "Content-Type"), "text/event-stream");
  ASSERT_TRUE(server_->shows(resumed, client, "after the first step of a client with roots"));
  EXPECT_THAT(client.received, HasSubstr(R"("id":7)"));
  EXPECT_THAT(client.received, HasSubstr(R"("progressToken":5)"));
  EXPECT_THAT(client.received, HasSubstr("the second step"));
}

TEST_F(R_DURABLE_3_Stateless, GoesOnAfterADisconnection) {
  const std::string id = cut_call();
  clients_.back().close();
  FakeClient& client = new_client();
  http::Response resumed = server_->ask(get("", id));
  EXPECT_TRUE(server_->shows(resumed, client, "after the first step"));
}

TEST_F(R_DURABLE_3_Stateless, GoesOnForItsOwnCredentialAlone) {
  http::Request foreign = get("", cut_call());
  foreign.principal.credential_id = "another";
  const http::Response end = server_->ask(std::move(foreign));
  ASSERT_TRUE(end.body);
  EXPECT_THAT(*end.body, HasSubstr("the connection of this call was lost"));
}

TEST_F(R_DURABLE_3_Stateless, AnIdThatWasChangedIsAnError) {
  std::string id = cut_call();
  id[id.size() / 2] = id[id.size() / 2] == 'a' ? 'b' : 'a';
  const http::Response end = server_->ask(get("", id));
  ASSERT_TRUE(end.body);
  EXPECT_THAT(*end.body, HasSubstr("the connection of this call was lost"));
}

TEST_F(R_DURABLE_3_Stateless, WhatDoesNotFitTheIdEndsWithAnError) {
  const std::string id = cut_call(json::string(std::string(1000, 'x')));
  EXPECT_LT(id.size(), 100U);
  const http::Response end = server_->ask(get("", id));
  ASSERT_TRUE(end.body);
  EXPECT_THAT(*end.body, HasSubstr("the connection of this call was lost"));
}

TEST_F(R_DURABLE_3, ACallWithoutASessionThatIsAnsweredSoonHasNoEventId) {
  options_.prime_after = 1min;
  restart();
  FakeClient& client = new_client();
  http::Response call =
      server_->ask(modern(7, "tools/call", {{"name", "work"}, {"arguments", json::object()}}));
  ASSERT_TRUE(server_->shows(call, client, "working on"));
  EXPECT_THAT(client.received, Not(HasSubstr("id: ")));
}

TEST_F(R_DURABLE_3, ATaskKeepsItsIdAndEndsWithItsResultAfterARestart) {
  const json::object tasks{{"extensions", {{"io.modelcontextprotocol/tasks", json::object()}}}};
  const http::Response created = server_->ask(
      modern(1, "tools/call", {{"name", "work"}, {"arguments", json::object()}}, tasks));
  const json::object result = body_of(created).at("result").as_object();
  const std::string id(result.at("taskId").as_string());
  restart([] {
    Catalog catalog = make_resumable_catalog();
    catalog.tools[0].handler = [](Call& call) -> asio::awaitable<RpcResult> {
      co_return text_result("done by " + call.stable_id());
    };
    return catalog;
  }());
  std::string status;
  for (int i = 0; i < 2000 && status != "completed"; ++i) {
    const http::Response got = server_->ask(modern(2, "tasks/get", {{"taskId", id}}, tasks));
    status = body_of(got).at("result").at("status").as_string();
  }
  EXPECT_EQ(status, "completed");
  restart(make_resumable_catalog(false));
  const http::Response got = server_->ask(modern(2, "tasks/get", {{"taskId", id}}, tasks));
  EXPECT_THAT(json_text(body_of(got)), HasSubstr("done by " + id));
}

}  // namespace
}  // namespace oriel::mcp
