// Sessions that people rename, pin, archive and label.

#include "child_process.h"
#include "hosted_fixture.h"
#include "mcp_client.h"
#include "session_client.h"
#include "sse_client.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

class R_ORGANIZE_1 : public testing::Test {
 protected:
  HttpResponse patch(const std::string& id, const std::string& body, Headers headers = {}) {
    headers.emplace_back("Content-Type", "application/json");
    return call(fixture_.server(), {.method = "PATCH",
                                    .target = "/api/sessions/" + id,
                                    .headers = std::move(headers),
                                    .body = body});
  }

  std::size_t listed(const std::string& query) {
    return get(fixture_.server(), "/api/sessions" + query).json().at("sessions").as_array().size();
  }

  HostedFixture fixture_;
};

TEST_F(R_ORGANIZE_1, AChangeIsShownToWatchersAndKeptOverARestart) {
  SessionClient session(fixture_.server(), fixture_.request());
  session.task("list");
  SseClient watcher(fixture_.server(), "/api/events?types=session_updated");
  const HttpResponse changed =
      patch(session.id(), R"({"title":"Fix the cart","is_pinned":true,"labels":["web","cart"]})");
  ASSERT_EQ(changed.status, 200) << changed.body;
  EXPECT_EQ(changed.json().at("title"), "Fix the cart");
  EXPECT_EQ(changed.json().at("labels"), (json::array{"cart", "web"}));
  const json::object seen = watcher.next_event().json();
  EXPECT_EQ(string_of(seen.at("data").as_object(), "session_id"), session.id());
  EXPECT_EQ(seen.at("data").at("title"), "Fix the cart");
  const std::string id = session.id();
  fixture_.restart();
  const json::object after = get(fixture_.server(), "/api/sessions/" + id).json();
  EXPECT_EQ(after.at("title"), "Fix the cart");
  EXPECT_EQ(after.at("is_pinned"), true);
  EXPECT_EQ(listed("?label=cart"), 1U);
  EXPECT_EQ(listed("?label=none"), 0U);
  EXPECT_EQ(patch(id, R"({"title":""})").json().at("title"), "list") << "its own again";
}

TEST_F(R_ORGANIZE_1, AnArchivedSessionIsListedOnlyIfAsked) {
  SessionClient session(fixture_.server(), fixture_.request());
  ASSERT_EQ(patch(session.id(), R"({"is_archived":true})").status, 200);
  EXPECT_EQ(listed(""), 0U);
  EXPECT_EQ(listed("?archived=true"), 1U);
  EXPECT_EQ(listed("?archived=any"), 1U);
  EXPECT_EQ(get(fixture_.server(), "/api/sessions?archived=maybe").status, 400);
  EXPECT_EQ(get(fixture_.server(), "/api/sessions/" + session.id()).status, 200);
  McpClient client(fixture_.server());
  EXPECT_EQ(client.tool("session_list", {}).at("count"), 0);
  EXPECT_EQ(client.tool("session_list", {{"archived", "true"}}).at("count"), 1);
}

TEST_F(R_ORGANIZE_1, AnEndedSessionCanBeOrganizedToo) {
  SessionClient session(fixture_.server(), fixture_.request());
  session.end();
  EXPECT_EQ(patch(session.id(), R"({"title":"done"})").json().at("title"), "done");
}

TEST_F(R_ORGANIZE_1, TheCommandLineAndMcpDoTheSame) {
  SessionClient session(fixture_.server(), fixture_.request());
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--url", fixture_.server().url()});
    return run_oriel(words);
  };
  EXPECT_EQ(run({"rename", session.id(), "Named here"}).out, "Named here\n");
  EXPECT_EQ(run({"organize", session.id(), "--pin", "--label", "b", "--label", "a"}).out,
            "Named here, pinned, a, b\n");
  EXPECT_EQ(run({"organize", session.id()}).exit_code, 2);
  EXPECT_EQ(run({"organize", session.id(), "--pin", "--unpin"}).exit_code, 2);
  McpClient client(fixture_.server());
  const json::object updated =
      client.tool("session_update", {{"session_id", session.id()}, {"is_pinned", false}});
  EXPECT_EQ(updated.at("title"), "Named here");
  EXPECT_EQ(updated.at("is_pinned"), false);
}

TEST_F(R_ORGANIZE_1, BadChangesAreRejectedAndChangeNothing) {
  SessionClient session(fixture_.server(), fixture_.request());
  for (const char* body : {"{}", R"({"titel":"x"})", R"({"title":7})", R"({"labels":["a b"]})",
                           R"({"is_pinned":"yes"})"})
    EXPECT_EQ(patch(session.id(), body).status, 400) << body;
  EXPECT_EQ(patch(session.id(), R"({"title":")" + std::string(2000, 'x') + R"("})").status, 400);
  EXPECT_EQ(patch("ses_none", R"({"title":"x"})").status, 404);
  EXPECT_EQ(session.state().at("is_pinned"), false);
  const HttpResponse forged =
      post_event(fixture_.server(), R"({"type":"session_updated","text":"x"})");
  EXPECT_EQ(forged.status, 400) << "services cannot publish it";
}

}  // namespace
}  // namespace oriel
