// Parts of the server that fail, by failpoints that throw. Only builds for tests have them.

#include "deadline.h"
#include "http_call.h"
#include "publisher.h"
#include "sse_client.h"

#include <gmock/gmock.h>

#include <csignal>

namespace oriel {
namespace {

using testing::HasSubstr;

class FailingServer : public testing::Test {
 protected:
  void SetUp() override {
    if (run_oriel({"verify", "--list-failpoints"}).out.empty())
      GTEST_SKIP() << "a build without failpoints";
  }

  static Environment failing(const std::string& failpoint) {
    return {{"ORIEL_FAILPOINTS", failpoint + ":1:throw"}};
  }
};

TEST_F(FailingServer, ACheckpointThatFailsIsTriedAgainAndStopsNothing) {
  const ServerProcess server({}, {}, failing("checkpoint.before"));
  Publisher publisher(server);
  for (int i = 0; i < 256 && server.log().find("cannot checkpoint") == std::string::npos; ++i)
    publisher.publish(R"({"type":"note","text":")" + std::to_string(i) +
                      std::string(256 << 10, 'x') + "\"}");  // equal texts are stored once
  EXPECT_TRUE(server.has_logged("cannot checkpoint the write-ahead log: failpoint"));
  EXPECT_EQ(get(server, "/health").json().at("status"), "ok");
}

TEST_F(FailingServer, AStepOfTheShutdownThatFailsDoesNotKeepTheServerFromEnding) {
  const TempDir data;
  ServerProcess server({}, data.path(), failing("rename.before"));
  // Uses of tokens are written about once a minute, and at the end.
  const std::string secret =
      run_oriel({"token", "create", "test", "--data-dir", data.path().string()}).out;
  ASSERT_TRUE(server.has_logged("tokens: 1 loaded"));
  const std::string bearer = "Bearer " + secret.substr(0, secret.find('\n'));
  EXPECT_EQ(get(server, "/api/sessions", {{"Authorization", bearer}}).status, 200);
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait_exit(kPatience), 0);
  EXPECT_THAT(server.log(), HasSubstr("shutdown of the uses of tokens: failpoint rename.before"));
}

TEST_F(FailingServer, ARepairThatCrashesLeavesAJournal) {
  const TempDir data;
  {
    const ServerProcess server({}, data.path());
    EXPECT_EQ(post_event(server, R"({"type":"note"})").status, 201);
  }
  const std::vector<std::string> check = {"check", "--data-dir", data.path().string()};
  std::vector<std::string> repair = check;
  repair.emplace_back("--repair");
  for (const std::string failpoint : {"rename.before", "rename.after"}) {
    Command crashing = oriel_command(repair);
    crashing.environment = {{"ORIEL_FAILPOINTS", failpoint + ":1"}};
    EXPECT_EQ(run(crashing).exit_code, 86) << failpoint;
    EXPECT_EQ(run_oriel(check).exit_code, 0) << failpoint;
  }
  EXPECT_EQ(run_oriel(repair).exit_code, 0);
  EXPECT_EQ(SseClient(ServerProcess({}, data.path())).hello().json().at("head"), 1);
}

}  // namespace
}  // namespace oriel
