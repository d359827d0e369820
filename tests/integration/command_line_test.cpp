// The program as people start it: options, publish, watch.

#include "publisher.h"
#include "sse_client.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <sstream>

namespace oriel {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

std::vector<boost::json::object> json_lines(const std::string& text) {
  std::vector<boost::json::object> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(boost::json::parse(line).as_object());
  }
  return lines;
}

TEST(CommandLine, VersionAndHelpGoToStandardOutput) {
  const Finished version = run_oriel({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_THAT(version.out, MatchesRegex("oriel [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--help"},
                                             {"serve", "--help"},
                                             {"watch", "--help"},
                                             {"publish", "--help"},
                                             {"token", "--help"}}) {
    const Finished help = run_oriel(words);
    EXPECT_EQ(help.exit_code, 0) << words[0];
    EXPECT_THAT(help.out, HasSubstr("Usage: oriel")) << words[0];
    EXPECT_EQ(help.err, "") << words[0];
  }
}

struct WrongUse {
  std::vector<std::string> words;
  std::vector<std::string> named;  // what the complaint must say
};

TEST(CommandLine, WrongOptionsAreNamedWithWhatIsAllowed) {
  const std::vector<WrongUse> uses = {
      {{}, {"Usage"}},
      {{"srve"}, {"srve", "serve"}},
      {{"serve", "--no-such"}, {"--no-such"}},
      {{"serve", "--max-sse-client", "5"}, {"--max-sse-client", "--max-sse-clients"}},
      {{"serve", "extra"}, {"extra"}},
      {{"serve", "--listen"}, {"--listen"}},
      {{"serve", "--listen", "nowhere"}, {"--listen", "nowhere"}},
      {{"serve", "--listen", "127.0.0.1:99999"}, {"--listen", "99999"}},
      {{"serve", "--max-sse-clients", "0"}, {"--max-sse-clients", "\"0\""}},
      {{"serve", "--max-sse-clients", "-5"}, {"--max-sse-clients", "-5"}},
      {{"serve", "--max-sse-clients", "5x"}, {"--max-sse-clients", "5x"}},
      {{"serve", "--heartbeat", "30"}, {"--heartbeat", "\"30\""}},
      {{"serve", "--heartbeat", "soon"}, {"--heartbeat", "soon"}},
      {{"serve", "--heartbeat", "0s"}, {"--heartbeat", "0s"}},
      {{"serve", "--max-queue-bytes", "1MB"}, {"--max-queue-bytes", "1MB"}},
      {{"serve", "--store", "oracle"}, {"--store", "oracle", "sqlite", "memory"}},
      {{"serve", "--durability", "full"}, {"--durability", "full", "process", "power"}},
      {{"serve", "--log-level", "loud"}, {"--log-level", "loud", "info"}},
      {{"serve", "--public-url", "ftp://x"}, {"--public-url", "ftp://x"}},
      {{"serve", "--threads", "0"}, {"--threads", "\"0\""}},
      {{"serve", "--config", "no-such-file.toml"}, {"no-such-file.toml"}},
      {{"watch", "--count", "0"}, {"--count", "\"0\""}},
      {{"watch", "--types", "a b"}, {"--types", "a b"}},
      {{"watch", "--since", "yesterday"}, {"--since", "yesterday"}},
      {{"watch", "--url", "localhost"}, {"--url", "localhost"}},
      {{"publish"}, {"TYPE"}},
      {{"publish", "a b"}, {"a b"}},
      {{"publish", "n", "--data", "{"}, {"--data"}},
      {{"token"}, {"create"}},
      {{"token", "make"}, {"make", "create"}},
      {{"token", "create"}, {"name"}},
  };
  for (const WrongUse& use : uses) {
    const Finished finished = run_oriel(use.words);
    const std::string shown = testing::PrintToString(use.words) + finished.err;
    EXPECT_EQ(finished.exit_code, 2) << shown;
    EXPECT_EQ(finished.out, "") << shown;
    for (const std::string& name : use.named)
      EXPECT_THAT(finished.err, HasSubstr(name)) << shown;
  }
}

TEST(CommandLine, WrongEnvironmentIsNamed) {
  Command command = oriel_command({"serve"});
  command.environment = {{"ORIEL_MAX_SSE_CLIENTS", "many"}};
  const Finished finished = run(command);
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("ORIEL_MAX_SSE_CLIENTS"));
  EXPECT_THAT(finished.err, HasSubstr("many"));
}

TEST(CommandLine, WrongConfigFileIsNamed) {
  TempDir dir;
  const std::string file = (dir.path() / "oriel.toml").string();
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"[sse]\nmax_clients = \"many\"\n", "sse.max_clients"},
      {"[sse]\nmax_client = 5\n", "sse.max_client"},
      {"[sse\n", "oriel.toml"},
      {"listen = 7\n", "listen"},
      {"[sse]\nheartbeat = \"30\"\n", "sse.heartbeat"},
      {"[nope]\nx = 1\n", "nope"},
  };
  for (const auto& [text, named] : wrong) {
    write_file(file, text);
    const Finished finished = run_oriel({"serve", "--config", file});
    EXPECT_EQ(finished.exit_code, 2) << text;
    EXPECT_THAT(finished.err, HasSubstr(named)) << text;
    EXPECT_THAT(finished.err, HasSubstr("oriel.toml")) << text;
  }
}

std::int64_t max_clients(const ServerProcess& server) {
  return get(server, "/health").json().at("sse").at("max_connections").as_int64();
}

TEST(CommandLine, FlagWinsOverEnvironmentWinsOverFile) {
  TempDir dir;
  const std::string file = (dir.path() / "my.toml").string();
  write_file(file, "[sse]\nmax_clients = 11\n");
  EXPECT_EQ(max_clients(ServerProcess({"--config", file})), 11);
  EXPECT_EQ(max_clients(ServerProcess({"--config", file}, {}, {{"ORIEL_MAX_SSE_CLIENTS", "12"}})),
            12);
  const std::vector<std::string> flags = {"--config", file, "--max-sse-clients", "13"};
  EXPECT_EQ(max_clients(ServerProcess(flags, {}, {{"ORIEL_MAX_SSE_CLIENTS", "12"}})), 13);
}

TEST(CommandLine, TakenPortIsNamed) {
  ServerProcess server;
  TempDir data;
  const Finished second =
      run_oriel({"serve", "--listen", server.authority(), "--data-dir", data.path().string()});
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_THAT(second.err, HasSubstr(server.authority()));
}

TEST(CommandLine, PublishPrintsTheNewId) {
  ServerProcess server;
  SseClient client(server);
  client.hello();
  const Finished published = run_oriel({"publish", "deploy", "--project", "web", "--session", "s1",
                                        "--text", "out", "--data", "-", "--url", server.url()},
                                       R"({"version":42})");
  EXPECT_EQ(published.exit_code, 0) << published.err;
  const SseFrame frame = client.next_event();
  EXPECT_EQ(published.out, frame.id + "\n");
  EXPECT_EQ(frame.event, "deploy");
  EXPECT_EQ(frame.text("project_id"), "web");
  EXPECT_EQ(frame.text("session_id"), "s1");
  EXPECT_EQ(frame.text("text"), "out");
  EXPECT_EQ(frame.json().at("data").at("version"), 42);
}

TEST(CommandLine, PublishToNobodySaysSo) {
  const std::string url = [] {
    ServerProcess gone;
    return gone.url();
  }();
  const Finished published = run_oriel({"publish", "n", "--url", url});
  EXPECT_EQ(published.exit_code, 1);
  EXPECT_THAT(published.err, HasSubstr(url));
}

TEST(CommandLine, RefusedPublishSaysWhy) {
  ServerProcess server;
  const Finished published = run_oriel({"publish", "hello", "--url", server.url()});
  EXPECT_EQ(published.exit_code, 1);
  EXPECT_THAT(published.err, HasSubstr("hello"));
}

TEST(CommandLine, PipedWatchPrintsJsonLinesAndEndsAfterItsCount) {
  ServerProcess server;
  TestProcess watch(oriel_command(
      {"watch", "--url", server.url(), "--types", "a,b", "--project", "p", "--count", "2"}));
  ASSERT_TRUE(eventually([&] { return active_streams(server) == 1; }));
  Publisher publisher(server);
  const std::string first = publisher.publish(R"({"type":"a","project_id":"p","text":"x"})").id;
  publisher.publish(R"({"type":"c","project_id":"p"})");
  publisher.publish(R"({"type":"a"})");
  const std::string second = publisher.publish(R"({"type":"b","project_id":"p"})").id;
  EXPECT_EQ(watch.wait_exit(), 0) << watch.err();
  const std::vector<boost::json::object> lines = json_lines(watch.out());
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].at("id").as_string(), first);
  EXPECT_EQ(lines[0].at("event"), "a");
  EXPECT_EQ(lines[0].at("data").at("text"), "x");
  EXPECT_EQ(lines[1].at("id").as_string(), second);
  EXPECT_TRUE(eventually([&] { return active_streams(server) == 0; }));
}

TEST(CommandLine, WatchSinceShowsThePast) {
  ServerProcess server;
  Publisher publisher(server);
  for (int i = 0; i < 5; ++i)
    publisher.publish_note();
  const Finished all =
      run_oriel({"watch", "--url", server.url(), "--since", "start", "--count", "5"});
  EXPECT_EQ(all.exit_code, 0) << all.err;
  const std::vector<boost::json::object> lines = json_lines(all.out);
  ASSERT_EQ(lines.size(), 5u);
  const std::string third(lines[2].at("id").as_string());
  const Finished rest =
      run_oriel({"watch", "--url", server.url(), "--since", third, "--count", "2"});
  EXPECT_EQ(json_lines(rest.out).at(0).at("id"), lines[3].at("id"));
}

TEST(CommandLine, WatchEndsWellWhenAskedTo) {
  ServerProcess server;
  for (const int number : {SIGINT, SIGTERM}) {
    TestProcess watch(oriel_command({"watch", "--url", server.url()}));
    ASSERT_TRUE(eventually([&] { return active_streams(server) == 1; }));
    watch.signal(number);
    EXPECT_EQ(watch.wait_exit(), 0);
    EXPECT_TRUE(eventually([&] { return active_streams(server) == 0; }));
  }
}

// Stops a server, or kills it, and starts another on its data and port while a watch runs.
void expect_watch_survives(int signal) {
  TempDir data;
  auto server =
      std::make_unique<ServerProcess>(std::vector<std::string>{"--retry", "100ms"}, data.path());
  const std::string authority = server->authority();
  TestProcess watch(
      oriel_command({"watch", "--url", server->url(), "--since", "start", "--count", "4"}));
  std::vector<std::string> ids = {Publisher(*server).publish_note().id};
  ASSERT_TRUE(eventually([&] { return json_lines(watch.out()).size() == 1; }));
  ids.push_back(Publisher(*server).publish_note().id);
  server->signal(signal);
  ASSERT_TRUE(server->wait_exit(kPatience).has_value());
  server = std::make_unique<ServerProcess>(
      std::vector<std::string>{"--retry", "100ms", "--listen", authority}, data.path());
  ids.push_back(Publisher(*server).publish_note().id);
  ids.push_back(Publisher(*server).publish_note().id);
  EXPECT_EQ(watch.wait_exit(), 0) << watch.err();
  const std::vector<boost::json::object> lines = json_lines(watch.out());
  ASSERT_EQ(lines.size(), ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i)
    EXPECT_EQ(lines[i].at("id").as_string(), ids[i]);
}

TEST(CommandLine, WatchResumesAfterTheServerWasRestarted) {
  expect_watch_survives(SIGTERM);
}

TEST(CommandLine, WatchResumesAfterTheServerWasKilled) {
  expect_watch_survives(SIGKILL);
}

}  // namespace
}  // namespace oriel
