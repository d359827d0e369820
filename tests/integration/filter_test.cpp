// R-SSE-8: which events reach a watcher that asked for some.

#include "publisher.h"
#include "sse_client.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// Publishes one event of each kind, then one "end" that passes the filter, and returns the texts
// that came before it.
class R_SSE_8 : public testing::Test {
 protected:
  std::vector<std::string> received(const std::string& query) {
    SseClient client(server_, "/api/events?" + query);
    client.hello();
    publish(R"({"type":"a","project_id":"p","session_id":"s","text":"a/p/s"})");
    publish(R"({"type":"b","project_id":"p","session_id":"s","text":"b/p/s"})");
    publish(R"({"type":"a","project_id":"q","session_id":"s","text":"a/q/s"})");
    publish(R"({"type":"a","project_id":"p","session_id":"t","text":"a/p/t"})");
    publish(R"({"type":"c","project_id":"q","session_id":"t","text":"c/q/t"})");
    publish(R"({"type":"a","session_id":"s","text":"a/-/s"})");
    publish(R"({"type":"a","project_id":"p","text":"a/p/-"})");
    const std::uint64_t head = publish(R"({"type":"c","text":"c/-/-"})").sequence;
    return texts_up_to(client, head);
  }

  HttpResponse refusal(const std::string& query) { return get(server_, "/api/events?" + query); }

  Published publish(std::string body) { return publisher_.publish(std::move(body)); }

  ServerProcess server_{std::vector<std::string>{"--heartbeat", "200ms"}};
  Publisher publisher_{server_};

 private:
  // The heartbeat's cursor says when everything up to `head` has been offered.
  static std::vector<std::string> texts_up_to(SseClient& client, std::uint64_t head) {
    std::vector<std::string> texts;
    for (std::uint64_t reached = 0; reached < head;) {
      const SseFrame frame = client.next_frame();
      if (!frame.id.empty()) reached = frame.sequence();
      if (!frame.event.empty()) texts.emplace_back(frame.text("text"));
    }
    return texts;
  }
};

TEST_F(R_SSE_8, TypesAreAList) {
  EXPECT_THAT(received("types=b,c"), ElementsAre("b/p/s", "c/q/t", "c/-/-"));
}

TEST_F(R_SSE_8, RepeatedTypesAddUp) {
  EXPECT_THAT(received("types=b&types=c"), ElementsAre("b/p/s", "c/q/t", "c/-/-"));
}

TEST_F(R_SSE_8, EventWithoutProjectDoesNotReachAProjectFilter) {
  EXPECT_THAT(received("project_id=q"), ElementsAre("a/q/s", "c/q/t"));
}

TEST_F(R_SSE_8, ProjectsAreAList) {
  EXPECT_THAT(received("project_id=q,p"),
              ElementsAre("a/p/s", "b/p/s", "a/q/s", "a/p/t", "c/q/t", "a/p/-"));
}

TEST_F(R_SSE_8, SessionFilterKeepsItsSessions) {
  EXPECT_THAT(received("session_id=t"), ElementsAre("a/p/t", "c/q/t"));
}

TEST_F(R_SSE_8, AgentIdIsSessionIdAndTheyAddUp) {
  EXPECT_THAT(received("agent_id=t"), ElementsAre("a/p/t", "c/q/t"));
  EXPECT_THAT(received("agent_id=t&session_id=s&types=c,b"), ElementsAre("b/p/s", "c/q/t"));
}

TEST_F(R_SSE_8, KindsAreJoinedByAnd) {
  EXPECT_THAT(received("types=a,b&project_id=p&session_id=s"), ElementsAre("a/p/s", "b/p/s"));
}

TEST_F(R_SSE_8, EscapedNamesAreTheSameNames) {
  EXPECT_THAT(received("types=%62%2Cc&project_id=%71"), ElementsAre("c/q/t"));
}

TEST_F(R_SSE_8, ReplayIsFilteredToo) {
  received("types=a");
  SseClient client(server_, "/api/events?types=b,c&project_id=p,q&last_event_id=0");
  EXPECT_EQ(client.next_event().text("text"), "b/p/s");
  EXPECT_EQ(client.next_event().text("text"), "c/q/t");
}

TEST_F(R_SSE_8, MalformedFilterIsRefusedByName) {
  for (const std::string parameter : {"types", "project_id", "session_id", "agent_id"}) {
    const std::string too_long(129, 'x');
    for (const std::string value : {"", ",", "a,", ",a", "a,,b", "a+b", "a%20b", "a%0Ab", "%01",
                                    "%C3%BC", "*", "a/b", "a%22", too_long.c_str()}) {
      const HttpResponse response = refusal(parameter + "=" + value);
      EXPECT_EQ(response.status, 400) << parameter << "=" << value;
      EXPECT_THAT(response.error(), StartsWith("invalid_filter: ")) << value;
      EXPECT_THAT(response.error(), HasSubstr(parameter)) << value;
    }
  }
  EXPECT_EQ(active_streams(server_), 0);
}

TEST_F(R_SSE_8, TooManyNamesAreRefused) {
  std::string names = "n0";
  for (int i = 1; i < 257; ++i)
    names += ",n" + std::to_string(i);
  const HttpResponse response = refusal("types=" + names);
  EXPECT_EQ(response.status, 400);
  EXPECT_THAT(response.error(), HasSubstr("types"));
}

TEST_F(R_SSE_8, UnknownParameterIsRefusedByName) {
  for (const std::string name : {"type", "Types", "project", "projects", "x"}) {
    const HttpResponse response = refusal(name + "=a");
    EXPECT_EQ(response.status, 400) << name;
    EXPECT_THAT(response.error(), StartsWith("unknown_parameter: "));
    EXPECT_THAT(response.error(), HasSubstr(name));
  }
}

TEST_F(R_SSE_8, ByeAndGapPassEveryFilter) {
  SseClient client(server_, "/api/events?types=none&last_event_id=9-0123456789abcdef");
  EXPECT_EQ(client.next_event().event, "gap");
  server_.signal(SIGTERM);
  EXPECT_EQ(client.next_event().event, "bye");
  EXPECT_EQ(server_.wait_exit(kPatience), 0);
}

}  // namespace
}  // namespace oriel
