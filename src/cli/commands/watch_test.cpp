#include "cli/commands/watch.h"

#include "client/scripted_server_testing.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

namespace oriel {
namespace {

constexpr const char* kStream = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
constexpr const char* kHello = "retry: 1\nid: 4-e\nevent: hello\ndata: {\"head\":4}\n\n";

struct Watched {
  int exit_code = -1;
  std::vector<std::string> events;  // "id event"
  std::vector<std::string> notices;
};

Watched run(const std::string& url, std::uint64_t count, std::string since = {}) {
  Watched watched;
  WatchOptions options{.server = {.url = http::parse_url(url).value(), .token = ""},
                       .filter = {},
                       .since = std::move(since)};
  options.count = count;
  WatchOutput output{
      .event =
          [&](const SseEvent& event) {
            watched.events.push_back(event.id + " " + event.event);
            return true;
          },
      .notice = [&](const std::string& text) { watched.notices.push_back(text); },
  };
  asio::io_context io(1);
  auto code = asio::co_spawn(io, watch_events(options, output), asio::use_future);
  io.run();
  watched.exit_code = code.get();
  return watched;
}

bool has_part(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Watch, RequestsTheFilter) {
  EXPECT_EQ(watch_target({}), "/api/events");
  EXPECT_EQ(watch_target({.types = {"a", "b"}, .projects = {"p"}, .sessions = {"s:1"}}),
            "/api/events?types=a,b&project_id=p&session_id=s:1");
}

TEST(Watch, ExitsAfterCountEvents) {
  ScriptedServer server({std::string(kStream) + kHello + "id: 5-e\nevent: a\ndata: 1\n\n" +
                         "id: 6-e\nevent: b\ndata: 2\n\nid: 7-e\nevent: c\ndata: 3\n\n"});
  const Watched watched = run(server.url(), 2);
  EXPECT_EQ(watched.exit_code, 0);
  EXPECT_EQ(watched.events, (std::vector<std::string>{"5-e a", "6-e b"}));
  EXPECT_EQ(watched.notices, std::vector<std::string>{"connected; the newest event is 4"});
}

TEST(Watch, ResumesAfterTheLastWholeEvent) {
  ScriptedServer server(
      {std::string(kStream) + kHello + "id: 5-e\nevent: a\ndata: 1\n\nid: 6-e\nev",
       std::string(kStream) + kHello + "id: 6-e\nevent: b\ndata: 2\n\n"});
  const Watched watched = run(server.url(), 2);
  EXPECT_EQ(watched.exit_code, 0);
  EXPECT_EQ(watched.events, (std::vector<std::string>{"5-e a", "6-e b"}));
  ASSERT_EQ(server.requests().size(), 2U);
  EXPECT_FALSE(has_part(server.requests()[0], "Last-Event-ID"));
  EXPECT_TRUE(has_part(server.requests()[1], "\r\nLast-Event-ID: 5-e\r\n")) << server.requests()[1];
  EXPECT_EQ(watched.notices.at(1), "reconnecting in 0.0 s: the server ended the stream");
}

TEST(Watch, KeepsItsCursorWithoutEvents) {
  ScriptedServer server({std::string(kStream) + "retry: 1\n\n",
                         std::string(kStream) + "id: 9-e\nevent: a\ndata: 1\n\n"});
  const Watched watched = run(server.url(), 1, "3-e");
  EXPECT_EQ(watched.exit_code, 0);
  for (const std::string& request : server.requests()) {
    EXPECT_TRUE(has_part(request, "\r\nLast-Event-ID: 3-e\r\n")) << request;
  }
}

TEST(Watch, AGapIsShownButNotCounted) {
  ScriptedServer server({std::string(kStream) + kHello + "event: gap\ndata: {\"missed\":3}\n\n" +
                         "id: 5-e\nevent: a\ndata: 1\n\n"});
  EXPECT_EQ(run(server.url(), 1).events, (std::vector<std::string>{"4-e gap", "5-e a"}));
}

TEST(Watch, TheServersByeIsANotice) {
  ScriptedServer server(
      {std::string(kStream) + kHello + "retry: 1\nevent: bye\ndata: {\"reason\":\"shutdown\"}\n\n",
       std::string(kStream) + kHello + "id: 5-e\nevent: a\ndata: 1\n\n"});
  const Watched watched = run(server.url(), 1);
  EXPECT_EQ(watched.events, std::vector<std::string>{"5-e a"});
  EXPECT_EQ(watched.notices.at(1), "the server closes the stream: shutdown");
}

TEST(Watch, ReadsAStreamThatAProxyHasChunked) {
  ScriptedServer server(
      {"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
       "Transfer-Encoding: chunked\r\n\r\n"
       "d\r\nid: 5-e\ndata:\r\n4\r\n 1\n\n\r\n0\r\n\r\n"});
  EXPECT_EQ(run(server.url(), 1).events, std::vector<std::string>{"5-e message"});
}

TEST(Watch, ExitsWhenTheServerRejects) {
  ScriptedServer server(
      {"HTTP/1.1 403 Forbidden\r\nContent-Length: 52\r\n\r\n"
       "{\"error\":{\"message\":\"no token\",\"hint\":\"create one\"}}"});
  const Watched watched = run(server.url(), 1);
  EXPECT_EQ(watched.exit_code, 1);
  EXPECT_EQ(watched.notices,
            std::vector<std::string>{"the server answered 403: no token\n  create one"});
}

TEST(Watch, ExitsWhenTheResponseIsNotAnEventStream) {
  ScriptedServer server(
      {"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n"});
  const Watched watched = run(server.url(), 1);
  EXPECT_EQ(watched.exit_code, 1);
  EXPECT_TRUE(watched.notices.at(0).starts_with("not an event stream: http://127.0.0.1:"));
}

TEST(Watch, ExitsWhenTheReaderHasGone) {
  ScriptedServer server({std::string(kStream) + kHello + "id: 5-e\nevent: a\ndata: 1\n\n"});
  WatchOptions options{.server = {.url = http::parse_url(server.url()).value(), .token = ""},
                       .filter = {},
                       .since = {}};
  WatchOutput output{.event = [](const SseEvent&) { return false; },
                     .notice = [](const std::string&) {}};
  asio::io_context io(1);
  auto code = asio::co_spawn(io, watch_events(options, output), asio::use_future);
  io.run();
  EXPECT_EQ(code.get(), 0);
}

}  // namespace
}  // namespace oriel
