// What MCP clients find after the server was killed and started again, and what event ids and
// sessions that they should not have are worth then.

#include "mcp_client.h"
#include "mcp_fixture.h"
#include "processes.h"
#include "session_client.h"

#include <boost/json/serialize.hpp>
#include <boost/json/value_from.hpp>
#include <gmock/gmock.h>

#include <optional>
#include <set>
#include <thread>
#include <utility>

namespace oriel {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using testing::HasSubstr;

constexpr const char* kWhatHappened = "Oriel ended while the agent worked";

// A server that can be killed, at one address in memory, so that its clients stay valid.
class RestartedMcp : public testing::Test {
 protected:
  RestartedMcp() { start(); }

  void start(std::vector<std::string> flags = {}) {
    server_.emplace(fixture_.flags(std::move(flags)), fixture_.data());
  }

  void kill_and_start(std::vector<std::string> flags = {}) {
    server_->kill();
    start(std::move(flags));
  }

  void stop() {
    server_->signal(SIGTERM);
    EXPECT_EQ(server_->wait_exit(kPatience), 0);
  }

  json::object settled_task(StatelessClient& client, const std::string& id) {
    json::object task;
    eventually([&] {
      const auto answer = client.begin("tasks/get", {{"taskId", id}}, id)->until_answer();
      task = answer.back().at("result").as_object();
      return string_of(task, "status") != "working";
    });
    return task;
  }

  // Starts a session whose client gets every event.
  std::string start_session(McpClient& client, std::string_view text) {
    return string_of(client.tool("session_message", fixture_.message(text)), "session_id");
  }

  int status_of(const McpClient& client) {
    return call(*server_, client.post({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "ping"}})).status;
  }

  McpFixture fixture_;
  std::optional<ServerProcess> server_;
};

// The session of an event and its index there.
using Place = std::pair<std::string, std::int64_t>;

Place place_of(const Message& message) {
  return {string_of(event_in(message), "session_id"), index_in(message)};
}

using R_DURABLE_1_Mcp = RestartedMcp;
using R_DURABLE_2_Mcp = RestartedMcp;
using R_DURABLE_3_Mcp = RestartedMcp;

TEST_F(R_DURABLE_3_Mcp, ATaskOf2026KeepsItsIdAndItsResultSaysWhatHappened) {
  const json::object tasks{{"extensions", {{"io.modelcontextprotocol/tasks", json::object()}}}};
  StatelessClient client(*server_, tasks);
  const auto begin = [&](std::string_view text) {
    const auto call =
        client.begin_tool("session_message", fixture_.message(text, {{"wait", true}}));
    return string_of(call->until_answer().back().at("result").as_object(), "taskId");
  };
  const std::string done = begin("list");
  EXPECT_EQ(string_of(settled_task(client, done), "status"), "completed");
  const std::string cut = begin("slow 60s list");
  EXPECT_TRUE(eventually([&] {
    const json::object list = client.tool("session_list", {{"status", "running"}});
    return list.at("count") == 1;
  }));
  kill_and_start();
  const json::object result = settled_task(client, done).at("result").as_object();
  EXPECT_THAT(string_of(result.at("structuredContent").as_object(), "text"), HasSubstr("one.txt"));
  const json::object ended = settled_task(client, cut).at("result").as_object();
  EXPECT_EQ(ended.at("isError"), true);
  EXPECT_THAT(json::serialize(ended), HasSubstr(kWhatHappened));
}

TEST_F(R_DURABLE_3_Mcp, AFormFromBeforeIsWithdrawnAndItsCallEndsWithTheReason) {
  McpClient client(*server_, {.capabilities = {{"elicitation", json::object()}}});
  client.set_level("info");
  auto call = client.begin_tool(
      "session_message",
      fixture_.message("write note.txt: hello", {{"wait", true}, {"permissions", "ask"}}));
  const Message form = call->next_with("elicitation/create");
  kill_and_start();
  call = client.listen(call->last_id());
  const Message withdrawn = call->next_with("notifications/cancelled");
  EXPECT_EQ(withdrawn.at("params").at("requestId"), form.at("id"));
  const std::vector<Message> rest = call->until_answer();
  const std::string told = json::serialize(json::value_from(rest));
  EXPECT_THAT(told, HasSubstr(R"("status":"withdrawn")"));
  EXPECT_THAT(json::serialize(rest.back()), HasSubstr(kWhatHappened));
  client.answer(form.at("id"), {{"action", "accept"}});
  EXPECT_FALSE(
      fs::exists(std::string(fixture_.message("").at("workspace").as_string()) + "/note.txt"));
}

TEST_F(R_DURABLE_2_Mcp, ForgedFutureAndForeignEventIdsOpenAFreshStream) {
  McpClient owner(*server_);
  owner.set_level("debug");
  auto stream = owner.listen();
  start_session(owner, "help");
  std::set<Place> got;
  for (const Message& message : stream->until_completion())
    got.insert(place_of(message));
  const std::string id = stream->last_id();
  stream->close();
  kill_and_start();
  const std::string before_counter = id.substr(0, id.rfind('-') + 1);
  for (const std::string& wrong :
       {before_counter + "99999999_99999999", before_counter + "0_99999999999999999999", id + "0",
        "x" + id, std::string("%00"), std::string(2000, '9'), id}) {
    // A client of its own each time: the server may not have noticed yet that the last stream
    // ended.
    McpClient other(*server_);
    other.set_level("debug");
    const auto foreign = other.listen(wrong);
    EXPECT_TRUE(foreign->pushes_nothing_for(Milliseconds{50})) << wrong;
  }
  // The owner goes on after its own id, and gets nothing twice.
  stream = owner.listen(id);
  start_session(owner, "help");
  for (const Message& message : stream->until_completion())
    EXPECT_TRUE(got.insert(place_of(message)).second);
}

TEST_F(R_DURABLE_1_Mcp, ASessionOfAnotherPrincipalIsUnknownAfterARestartToo) {
  stop();
  const auto token = [&](const char* name) {
    const Finished made =
        run_oriel({"token", "create", name, "--data-dir", fixture_.data().string()});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    std::string secret = made.out;
    secret.erase(secret.find_last_not_of('\n') + 1);
    return secret;
  };
  const Headers ada{{"Authorization", "Bearer " + token("ada")}};
  const Headers eve{{"Authorization", "Bearer " + token("eve")}};
  start();
  McpClient client(*server_, {.headers = ada});
  client.set_level("debug");
  kill_and_start();
  HttpRequest request = client.post({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "ping"}});
  for (auto& [name, value] : request.headers) {
    if (name == "Authorization") value = eve.front().second;
  }
  const HttpResponse refused = call(*server_, request);
  EXPECT_EQ(refused.status, 404);
  EXPECT_THAT(refused.body, HasSubstr("there is no such MCP session"));
  EXPECT_EQ(status_of(client), 200);
}

TEST_F(R_DURABLE_1_Mcp, ASessionWhoseClientStaysAwayExpires) {
  const McpClient client(*server_);
  kill_and_start({"--mcp-session-ttl", "500ms"});
  std::this_thread::sleep_for(std::chrono::milliseconds{2500});
  EXPECT_EQ(status_of(client), 404);
  kill_and_start();
  EXPECT_EQ(status_of(client), 404) << "it was removed from the journal";
}

TEST_F(R_DURABLE_2_Mcp, ARestoredJournalRepeatsNothingAndAnnouncesTheGap) {
  McpClient client(*server_);
  client.set_level("info");
  auto stream = client.listen();
  const std::string session = start_session(client, "help");
  stream->until_completion();
  stop();
  const fs::path journal = fixture_.data() / "journal.db";
  const fs::path copy = fixture_.data() / "copy.db";
  fs::copy_file(journal, copy);
  start();
  const McpClient lost(*server_);
  stream = client.listen(stream->last_id());
  client.tool("session_message", {{"session_id", session}, {"message", "list"}});
  const std::int64_t last = index_in(stream->until_completion().back());
  const std::string id = stream->last_id();
  stop();
  for (const char* suffix : {"-wal", "-shm"})
    fs::remove(journal.string() + suffix);
  fs::rename(copy, journal);
  start();

  stream = client.listen(id);
  const Message gap = stream->next_with("notifications/message");
  EXPECT_EQ(gap.at("params").at("level"), "warning");
  EXPECT_EQ(event_in(gap).at("type"), "gap");
  client.tool("session_message", {{"session_id", session}, {"message", "help"}});
  const std::vector<Message> next = stream->until_completion();
  EXPECT_THAT(string_of(event_in(next.front()), "session_id"), session);
  EXPECT_LE(index_in(next.front()), last) << "the events of the lost task are gone";
  EXPECT_EQ(string_of(event_in(next.front()), "type"), "message");
  EXPECT_EQ(status_of(lost), 404);
}

}  // namespace
}  // namespace oriel
