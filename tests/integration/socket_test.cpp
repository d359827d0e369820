// The Unix socket of the server: its file, and what is served there.

#include "http_call.h"
#include "raw_client.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class UnixSocket : public testing::Test {
 protected:
  // A server that does not start.
  Finished serve(const std::vector<std::string>& flags) const {
    std::vector<std::string> arguments = {"serve", "--listen", "127.0.0.1:0", "--data-dir",
                                          (dir_.path() / "other").string()};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return run_oriel(arguments);
  }

  static int status_at(const fs::path& socket) {
    RawClient client(socket);
    return call(client, {.target = "/api/sessions"}).status;
  }

  static void stop(ServerProcess& server) {
    server.signal(SIGTERM);
    EXPECT_EQ(server.wait_exit(kPatience), 0);
  }

  TempDir dir_;
  fs::path data_ = dir_.path() / "data";
  fs::path named_ = dir_.path() / "named.sock";
};

TEST_F(UnixSocket, IsOpenToItsUserOnlyAndGoneAfterAStop) {
  ServerProcess server({}, data_);
  EXPECT_EQ(status_at(server.socket()), 200);
  EXPECT_EQ(fs::status(server.socket()).permissions(), fs::perms(0600));
  stop(server);
  EXPECT_FALSE(fs::exists(server.socket()));
}

TEST_F(UnixSocket, TheOneOfAKilledServerIsReplaced) {
  ServerProcess killed({}, data_);
  killed.kill();
  EXPECT_TRUE(fs::exists(killed.socket()));
  EXPECT_THROW(status_at(killed.socket()), Closed);
  ServerProcess server({}, data_);
  EXPECT_EQ(status_at(server.socket()), 200);
}

TEST_F(UnixSocket, AFlagNamesAnotherOrNone) {
  {
    ServerProcess server({"--socket", named_.string()}, data_);
    EXPECT_EQ(status_at(named_), 200);
    EXPECT_FALSE(fs::exists(server.socket()));
  }
  EXPECT_FALSE(fs::exists(named_));
  ServerProcess server({"--socket", "none"}, data_);
  EXPECT_FALSE(fs::exists(server.socket()));
  EXPECT_EQ(get(server, "/api/sessions").status, 200);
}

TEST_F(UnixSocket, TheOneOfALivingServerStopsTheStart) {
  ServerProcess server({"--socket", named_.string()}, data_);
  const Finished refused = serve({"--socket", named_.string()});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, AllOf(HasSubstr(named_.string()), HasSubstr("another server"),
                                 HasSubstr("choose another --socket")));
  EXPECT_EQ(status_at(named_), 200);
}

TEST_F(UnixSocket, AFileThatIsNoSocketStopsTheStart) {
  write_file(named_, "text");
  const Finished refused = serve({"--socket", named_.string()});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, AllOf(HasSubstr(named_.string()), HasSubstr("not a socket")));
  EXPECT_EQ(read_file(named_), "text");
}

TEST_F(UnixSocket, ANamedPathThatIsTooLongStopsTheStart) {
  const Finished refused = serve({"--socket", "/tmp/" + std::string(120, 'x')});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("--socket"), HasSubstr("107"), HasSubstr("125")));
}

TEST_F(UnixSocket, ADataDirectoryThatIsTooDeepHasNone) {
  ServerProcess server({}, dir_.path() / std::string(120, 'd'));
  EXPECT_THAT(server.log(), AllOf(HasSubstr("no Unix socket"), HasSubstr("--socket")));
  EXPECT_FALSE(fs::exists(server.socket()));
  EXPECT_EQ(get(server, "/api/sessions").status, 200);
}

TEST_F(UnixSocket, StreamsEvents) {
  ServerProcess server({"--max-queue-bytes", "64MiB"}, data_);
  RawClient watcher(server.socket());
  watcher.send("GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  watcher.read_until("event: hello\n");
  const std::string large(900'000, 'x');  // more than the kernel takes at once
  for (const std::string type : {"first", "second", "third"}) {
    const HttpResponse made =
        post_event(server, R"({"type":")" + type + R"(","data":{"text":")" + large + R"("}})");
    EXPECT_EQ(made.status, 201);
  }
  for (const std::string type : {"first", "second", "third"}) {
    watcher.read_until("event: " + type + "\n");
    EXPECT_THAT(watcher.read_until("\n\n"), HasSubstr(large));
  }
}

TEST_F(UnixSocket, ItsConnectionsCountLikeOthers) {
  ServerProcess server({"--max-connections", "1", "--max-sse-clients", "1"}, data_);
  RawClient watcher(server.port());
  watcher.send("GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  watcher.read_until("event: hello\n");
  RawClient refused(server.socket());
  EXPECT_EQ(read_response(refused).status, 503);
}

}  // namespace
}  // namespace oriel
