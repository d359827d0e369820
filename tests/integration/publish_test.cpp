// R-SSE-12: services publish, in one order for everyone.

#include "publisher.h"
#include "sse_client.h"

#include <gmock/gmock.h>

#include <map>
#include <thread>

namespace oriel {
namespace {

using testing::HasSubstr;

TEST(R_SSE_12, AnswerNamesThePlaceAndTheEventArrives) {
  ServerProcess server;
  SseClient client(server);
  client.hello();
  const HttpResponse response = post_event(
      server, R"({"type":"deploy","project_id":"web","session_id":"s1","data":{"ok":true}})");
  EXPECT_EQ(response.status, 201);
  const std::string id = "1-" + client.epoch();
  EXPECT_EQ(response.body, R"({"id":")" + id + R"(","sequence":1,"index":0})");
  const SseFrame frame = client.next_event();
  EXPECT_EQ(frame.id, id);
  EXPECT_EQ(frame.event, "deploy");
  EXPECT_EQ(frame.text("project_id"), "web");
  EXPECT_EQ(frame.text("session_id"), "s1");
  EXPECT_EQ(frame.json().at("data"), (boost::json::value{{"ok", true}}));
}

TEST(R_SSE_12, AnEventNamesItsPublisher) {
  ServerProcess server;
  SseClient client(server);
  client.hello();
  Publisher(server).publish(R"({"type":"n"})");
  EXPECT_EQ(client.next_event().text("by"), "local");
  const HttpResponse response = post_event(server, R"({"type":"n","by":"somebody"})");
  EXPECT_EQ(response.status, 400);
}

TEST(R_SSE_12, IntegersNameProjectsAndSessions) {
  ServerProcess server;
  SseClient client(server, "/api/events?project_id=42&agent_id=7");
  client.hello();
  Publisher(server).publish(R"({"type":"n","project_id":42,"session_id":7})");
  const SseFrame frame = client.next_event();
  EXPECT_EQ(frame.text("project_id"), "42");
  EXPECT_EQ(frame.text("session_id"), "7");
}

TEST(R_TRUTH_3, SecretsInPublishedEventsAreMasked) {
  ServerProcess server;
  SseClient client(server);
  client.hello();
  const std::string token = std::string("ghp") + "_abcdefghijklmnopqrstuvwxyz0123456789";
  Publisher(server).publish(R"({"type":"n","text":"use )" + token + R"(","data":{"x":")" + token +
                            R"("}})");
  const std::string data = client.next_event().data;
  EXPECT_EQ(data.find(token), std::string::npos) << data;
  EXPECT_THAT(data, HasSubstr("use [redacted:github-token]"));
}

TEST(R_SSE_12, DataIsAnyJson) {
  ServerProcess server;
  SseClient client(server);
  client.hello();
  Publisher publisher(server);
  for (const std::string data : {"null", "false", "0", "-1.5", "18446744073709551615", "\"\"",
                                 "\"\xC3\xBC\"", "[]", "{}", "[[[[[[[[[[1]]]]]]]]]]"}) {
    publisher.publish(R"({"type":"n","data":)" + data + "}");
    EXPECT_THAT(client.next_event().data, HasSubstr(R"("data":)" + data + "}"));
  }
}

TEST(R_SSE_12, ContentTypeMayHaveParameters) {
  ServerProcess server;
  EXPECT_EQ(post_event(server, R"({"type":"n"})", "application/json; charset=utf-8").status, 201);
  EXPECT_EQ(post_event(server, R"({"type":"n"})", "Application/JSON").status, 201);
}

TEST(R_SSE_12, OtherContentTypesAreRefused) {
  ServerProcess server;
  for (const std::string type :
       {"", "text/plain", "application/x-www-form-urlencoded", "application/jsonx", "json",
        "multipart/form-data; boundary=application/json"}) {
    const HttpResponse response = post_event(server, R"({"type":"n"})", type);
    EXPECT_EQ(response.status, 415) << type;
    EXPECT_THAT(response.body, HasSubstr("application/json"));
  }
  EXPECT_EQ(SseClient(server).hello().json().at("head"), 0);
}

struct BadEvent {
  std::string body;
  std::string culprit;  // what the message must name
};

std::string nested(int depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

TEST(R_SSE_12, MalformedEventIsRefusedByNameAndNotStored) {
  ServerProcess server;
  const std::string long_name(129, 'x');
  const std::vector<BadEvent> bad_events = {
      {"", "JSON"},
      {"not json", "JSON"},
      {"{", "JSON"},
      {R"({"type":"n")", "JSON"},
      {R"({"type":"n"} x)", "JSON"},
      {R"({"type":"n"}{"type":"n"})", "JSON"},
      {R"({"type":"n",})", "JSON"},
      {R"({'type':'n'})", "JSON"},
      {"{\"type\":\"n\",\"text\":\"\x01\"}", "JSON"},
      {"{\"type\":\"n\",\"text\":\"\xFF\"}", "JSON"},
      {"{\"type\":\"n\",\"text\":\"\xC0\xAF\"}", "JSON"},
      {"{\"type\":\"n\",\"text\":\"\xED\xA0\x80\"}", "JSON"},
      {R"({"type":"n","text":"\ud800"})", "JSON"},
      {R"({"type":"n","data":)" + nested(10'000) + "}", "JSON"},
      {R"({"type":"n","data":1e})", "JSON"},
      {"[]", "object"},
      {"null", "object"},
      {"\"type\"", "object"},
      {"17", "object"},
      {"{}", "type"},
      {R"({"text":"n"})", "type"},
      {R"({"type":""})", "type"},
      {R"({"type":null})", "type"},
      {R"({"type":1})", "type"},
      {R"({"type":["n"]})", "type"},
      {R"({"type":"a b"})", "type"},
      {R"({"type":"a\nb"})", "type"},
      {R"({"type":"a,b"})", "type"},
      {R"({"type":")" + long_name + R"("})", "type"},
      {R"({"type":"hello"})", "hello"},
      {R"({"type":"gap"})", "gap"},
      {R"({"type":"bye"})", "bye"},
      {R"({"type":"session_event"})", "session_event"},
      {R"({"type":"turn_created"})", "turn_created"},
      {R"({"type":"n","colour":"red"})", "colour"},
      {R"({"type":"n","Type":"n"})", "Type"},
      {R"({"type":"n","index":1})", "index"},
      {R"({"type":"n","text":1})", "text"},
      {R"({"type":"n","text":null})", "text"},
      {R"({"type":"n","project_id":""})", "project_id"},
      {R"({"type":"n","project_id":1.5})", "project_id"},
      {R"({"type":"n","project_id":true})", "project_id"},
      {R"({"type":"n","project_id":"a b"})", "project_id"},
      {R"({"type":"n","session_id":{}})", "session_id"},
      {R"({"type":"n","session_id":[]})", "session_id"},
      {R"({"type":"n","session_id":"a\u0000"})", "session_id"},
  };
  for (const BadEvent& bad : bad_events) {
    const HttpResponse response = post_event(server, bad.body);
    EXPECT_EQ(response.status, 400) << bad.body.substr(0, 200);
    if (response.status == 400) {
      EXPECT_THAT(response.error(), HasSubstr(bad.culprit)) << bad.body.substr(0, 200);
    }
  }
  EXPECT_EQ(SseClient(server).hello().json().at("head"), 0);
}

TEST(R_SSE_12, TooLargeEventIsRefusedAndNotStored) {
  ServerProcess server({"--max-body-bytes", "64KiB"});
  const std::string big = R"({"type":"n","text":")" + std::string(64 << 10, 'x') + R"("})";
  const HttpResponse response = post_event(server, big);
  EXPECT_EQ(response.status, 413);
  EXPECT_FALSE(response.error().empty());
  EXPECT_EQ(SseClient(server).hello().json().at("head"), 0);
}

// What each publisher sends, in its order.
void publish_numbered(const ServerProcess& server, int publisher, int count) {
  Publisher connection(server);
  for (int i = 0; i < count; ++i) {
    connection.publish(R"({"type":"n","session_id":"p)" + std::to_string(publisher) +
                       R"(","text":")" + std::to_string(i) + R"("})");
  }
}

TEST(R_SSE_12, EightPublishersMakeOneOrderForAllWatchers) {
  constexpr int kPublishers = 8;
  constexpr int kEach = 40;
  ServerProcess server({"--threads", "4"});
  std::vector<std::unique_ptr<SseClient>> watchers;
  for (int i = 0; i < 6; ++i)
    watchers.push_back(std::make_unique<SseClient>(server));
  for (auto& watcher : watchers)
    watcher->hello();
  {
    std::vector<std::jthread> publishers;
    for (int i = 0; i < kPublishers; ++i) {
      publishers.emplace_back([&server, i] { publish_numbered(server, i, kEach); });
    }
  }

  std::vector<std::string> order;
  std::map<std::string, int> next_of_publisher;
  for (const SseFrame& frame : watchers[0]->next_events(kPublishers * kEach)) {
    EXPECT_EQ(frame.sequence(), order.size() + 1);
    const std::string session = frame.text("session_id");
    const int number = next_of_publisher[session]++;
    EXPECT_EQ(frame.text("text"), std::to_string(number));
    EXPECT_EQ(frame.json().at("index"), number);
    order.push_back(frame.raw);
  }
  for (std::size_t i = 1; i < watchers.size(); ++i) {
    for (const std::string& raw : order)
      ASSERT_EQ(watchers[i]->next_event().raw, raw);
  }
}

}  // namespace
}  // namespace oriel
