// What the process does to the machine around it: signals and files.

#include "http_call.h"
#include "raw_client.h"
#include "sse_client.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <sstream>

namespace oriel {
namespace {

namespace fs = std::filesystem;

TEST(R_PROC_1, NothingBelowTheDataDirectoryIsOpenToOtherUsers) {
  const TempDir dir;
  const fs::path data = dir.path() / "data";
  ServerProcess server({}, data);
  EXPECT_EQ(post_event(server, R"({"type":"secret"})").status, 201);
  EXPECT_EQ(call(server, {.method = "POST",
                          .target = "/api/sessions",
                          .headers = {{"Content-Type", "application/json"}},
                          .body = R"({"agent":"demo","message":"hello"})"})
                .status,
            201);
  EXPECT_EQ(fs::status(data).permissions(), fs::perms::owner_all);
  constexpr fs::perms kOthers = fs::perms::group_all | fs::perms::others_all;
  int files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(data)) {
    EXPECT_EQ(entry.status().permissions() & kOthers, fs::perms::none) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 2) << "a journal and the workspaces";
}

// The kernel takes 64 KiB of a pipe that nobody reads.
TEST(R_PROC_2, ALogThatNobodyReadsFreezesNothing) {
  const TempDir dir;
  const std::string pipe = (dir.path() / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  ServerProcess server({}, {}, {}, {"/bin/sh", "-c", "exec \"$@\" 2<>" + pipe, "sh"});
  // Each request is logged. A client that sends wrong credentials again is slowed down.
  const HttpRequest wrong{.target = "/api/sessions",
                          .headers = {{"Authorization", "Bearer wrong"}}};
  for (in_addr_t i = 1; i <= 600; ++i) {
    RawClient client(server.port(), {.source_address = htonl(INADDR_LOOPBACK + i)});
    EXPECT_EQ(call(client, wrong).status, 401);
  }
  EXPECT_EQ(get(server, "/health").status, 200);
  EXPECT_EQ(post_event(server, R"({"type":"note"})").status, 201);
}

TEST(R_PROC_2, HangupEndsNeitherTheServerNorItsStreams) {
  const TempDir data;
  ServerProcess server({}, data.path());
  RawClient connection(server.port());
  EXPECT_EQ(call(connection, {.target = "/health"}).status, 200);
  SseClient watcher(server);
  watcher.hello();
  const Finished made = run_oriel({"token", "create", "ci", "--data-dir", data.path().string()});
  for (int i = 0; i < 3; ++i)
    server.hang_up();
  EXPECT_TRUE(server.has_logged("reading tokens and certificates again"));
  EXPECT_TRUE(server.has_logged("tokens: 1 loaded"));
  const std::string bearer = "Bearer " + made.out.substr(0, made.out.find('\n'));
  const HttpRequest authorized{.target = "/api/sessions", .headers = {{"Authorization", bearer}}};
  EXPECT_EQ(call(connection, authorized).status, 200);
  EXPECT_EQ(post_event(server, R"({"type":"after"})").status, 201);
  EXPECT_EQ(watcher.next_event().event, "after");
}

// "Max open files  SOFT  HARD  files" of a process.
std::pair<std::string, std::string> open_file_limits(pid_t pid) {
  std::istringstream limits(read_file("/proc/" + std::to_string(pid) + "/limits"));
  for (std::string line; std::getline(limits, line);) {
    if (!line.starts_with("Max open files")) continue;
    std::istringstream words(line.substr(std::string_view("Max open files").size()));
    std::pair<std::string, std::string> found;
    words >> found.first >> found.second;
    return found;
  }
  return {};
}

TEST(R_PROC_4, LimitOfOpenFilesIsRaisedToTheHardLimit) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit low{.rlim_cur = 200, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  ServerProcess server;
  setrlimit(RLIMIT_NOFILE, &before);
  const auto [soft, hard] = open_file_limits(server.pid());
  EXPECT_FALSE(soft.empty());
  EXPECT_EQ(soft, hard);
}

TEST(R_PROC_4, ConnectionsAreLimitedToTheOpenFiles) {
  const TempDir data;
  Command command = oriel_command({"serve", "--listen", "127.0.0.1:0", "--data-dir",
                                   data.path().string(), "--max-connections", "5000"});
  const std::vector<std::string> shell = {"/bin/sh", "-c", "ulimit -n 400; exec \"$@\"", "sh"};
  command.words.insert(command.words.begin(), shell.begin(), shell.end());
  TestProcess server(command);
  EXPECT_TRUE(eventually([&] { return server.out().find("ready") != std::string::npos; }));
  EXPECT_THAT(server.err(), testing::HasSubstr("--max-connections 5000: at most 200 connections, "
                                               "because the limit of open files is 400"));
}

}  // namespace
}  // namespace oriel
