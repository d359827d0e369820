// R-PROC-4: a server whose file descriptors run out.

#include "http_call.h"
#include "programs.h"
#include "raw_client.h"
#include "session_client.h"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <thread>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

// The limit of open files of this process until the end of the scope.
class OpenFileLimit {
 public:
  explicit OpenFileLimit(rlim_t soft) {
    getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit limit{.rlim_cur = soft, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &limit);
  }

  ~OpenFileLimit() { setrlimit(RLIMIT_NOFILE, &before_); }

  OpenFileLimit(const OpenFileLimit&) = delete;
  OpenFileLimit& operator=(const OpenFileLimit&) = delete;

 private:
  rlimit before_{};
};

// `oriel serve` with a hard limit of open files.
class SmallServer {
 public:
  explicit SmallServer(int open_files) : process_(command(open_files, data_.path().string())) {
    const std::string ready = "http://127.0.0.1:";
    if (!eventually([&] { return process_.out().find(ready) != std::string::npos; }))
      throw std::runtime_error("it is not ready: " + process_.err());
    const std::string out = process_.out();
    port_ = static_cast<std::uint16_t>(std::stoi(out.substr(out.find(ready) + ready.size())));
  }

  HttpResponse post(std::string target, const json::object& body) const {
    RawClient connection(port_);
    return call(connection, {.method = "POST",
                             .target = std::move(target),
                             .headers = {{"Content-Type", "application/json"}},
                             .body = json::serialize(body)});
  }

  json::object get(std::string target) const {
    RawClient connection(port_);
    return call(connection, {.target = std::move(target)}).json();
  }

  TestProcess& process() { return process_; }

 private:
  static Command command(int open_files, const std::string& data_dir) {
    Command command = {.words = {"/bin/sh", "-c",
                                 "ulimit -n " + std::to_string(open_files) + "; exec \"$@\"", "sh",
                                 oriel_program(), "serve", "--listen", "127.0.0.1:0", "--threads",
                                 "2", "--data-dir", data_dir}};
    return command;
  }

  TempDir data_;
  TestProcess process_;
  std::uint16_t port_ = 0;
};

TEST(R_PROC_4, AgentsThatDescriptorsDoNotSufficeForFailClearlyAndTheRestGoesOn) {
  SmallServer server(64);
  std::vector<std::string> ids;
  for (int i = 0; i < 14; ++i) {
    const HttpResponse made =
        server.post("/api/sessions", {{"agent", "demo"}, {"message", "list"}});
    ASSERT_EQ(made.status, 201) << made.body;
    ids.emplace_back(made.json().at("session").at("session_id").as_string());
  }
  int failed = 0;
  for (const std::string& id : ids) {
    std::string status;
    EXPECT_TRUE(eventually(
        [&] {
          status = server.get("/api/sessions/" + id).at("status").as_string();
          return status == "idle" || status == "failed";
        },
        kAgentPatience))
        << status;
    if (status != "failed") continue;
    ++failed;
    const json::object errors = server.get("/api/sessions/" + id + "/events?types=error");
    EXPECT_THAT(json::serialize(errors), HasSubstr("a start needs 24 free file descriptors"));
  }
  EXPECT_GT(failed, 0) << "14 agents have more than 64 descriptors";
  EXPECT_EQ(server.post("/api/sessions/" + ids.back() + "/messages", {{"message", "list"}}).status,
            202);
  EXPECT_EQ(server.post("/api/sessions/" + ids.front() + "/end", {}).status, 200);
  server.process().signal(SIGTERM);
  EXPECT_EQ(server.process().wait_exit(), 0) << server.process().err();
}

TEST(R_PROC_4, AConnectionThatCannotBeAcceptedIsLoggedOnceAndServedLater) {
  const ServerProcess server;
  rlimit before{};
  prlimit(server.pid(), RLIMIT_NOFILE, nullptr, &before);
  const rlimit none{.rlim_cur = 3, .rlim_max = before.rlim_max};
  ASSERT_EQ(prlimit(server.pid(), RLIMIT_NOFILE, &none, nullptr), 0);
  RawClient client(server.port());
  const std::string line = "cannot accept a connection";
  ASSERT_TRUE(server.has_logged(line));
  std::this_thread::sleep_for(std::chrono::seconds(1));  // it is tried again every 100 ms
  const std::string log = server.log();
  EXPECT_EQ(log.find(line), log.rfind(line)) << log;
  prlimit(server.pid(), RLIMIT_NOFILE, &before, nullptr);
  EXPECT_EQ(call(client, {.target = "/health"}).status, 200);
}

TEST(R_PROC_4, MoreIdleConnectionsThanTheSoftLimitAreServed) {
  constexpr int kConnections = 1'100;
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_max < 4'096) GTEST_SKIP() << "the hard limit of open files is too low";
  std::optional<OpenFileLimit> low(1'024);
  ServerProcess server;
  low.reset();
  const OpenFileLimit own(limit.rlim_max);
  std::vector<std::unique_ptr<RawClient>> idle;
  for (int i = 0; i < kConnections; ++i) {
    idle.push_back(std::make_unique<RawClient>(server.port()));
    ASSERT_EQ(call(*idle.back(), {.target = "/health"}).status, 200) << i;
  }
  EXPECT_EQ(call(*idle.front(), {.target = "/health"}).status, 200) << "it was not closed";
  EXPECT_EQ(post_event(server, R"({"type":"still_served"})").status, 201);
}

}  // namespace
}  // namespace oriel
