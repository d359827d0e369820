// R-DURABLE-4: a planned restart refuses no connection, by `oriel serve --takeover` and by socket
// activation.

#include "http_call.h"
#include "publisher.h"
#include "raw_client.h"
#include "sse_client.h"
#include "tls_client.h"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <fcntl.h>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <unistd.h>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kRequest = R"({"step":"take_over","protocol":1,"version":"test"})";
constexpr const char* kDrain = R"({"step":"drain","takes_socket_file":false})";
constexpr int kTakeovers = 5;

HttpRequest note() {
  return {.method = "POST",
          .target = "/api/events",
          .headers = {{"Content-Type", "application/json"}},
          .body = R"({"type":"note"})"};
}

// A server that is replaced again and again, at one address.
class Restarted {
 public:
  explicit Restarted(std::vector<std::string> flags = {}) : flags_(std::move(flags)) {
    server_ = std::make_unique<ServerProcess>(flags_, data());
    port_ = server_->port();
  }

  // Returns once the new server is ready and the old one has exited with 0.
  void take_over() {
    auto next = std::make_unique<ServerProcess>(takeover_flags(), data());
    EXPECT_EQ(next->port(), port_);
    EXPECT_EQ(server_->wait_handed_over(), 0) << server_->log();
    server_ = std::move(next);
  }

  // The same command as take_over(), with more flags; it must fail.
  Finished fail_to_take_over(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"serve", "--data-dir", data().string()};
    for (const auto& flags : {takeover_flags(), more})
      arguments.insert(arguments.end(), flags.begin(), flags.end());
    return run_oriel(arguments);
  }

  fs::path data() const { return dir_.path() / "data"; }

  fs::path control() const { return data() / "takeover.sock"; }

  std::uint16_t port() const { return port_; }

  ServerProcess& server() { return *server_; }

 private:
  std::vector<std::string> takeover_flags() const {
    std::vector<std::string> flags = flags_;
    flags.insert(flags.end(), {"--takeover", "--listen", "127.0.0.1:" + std::to_string(port_)});
    return flags;
  }

  TempDir dir_;
  std::vector<std::string> flags_;
  std::unique_ptr<ServerProcess> server_;
  std::uint16_t port_ = 0;
};

// Sends requests one after another until told to stop; counts them, and what went wrong.
struct Load {
  std::atomic<bool> is_over{false};
  std::atomic<int> done{0};
  std::atomic<int> failed{0};
  std::mutex mutex;  // shared by the publishers
  std::set<std::uint64_t> acknowledged;

  void note(const HttpResponse& response, int expected) {
    ++done;
    if (response.status != expected) ++failed;
    if (response.status != 201) return;
    const std::scoped_lock lock(mutex);
    acknowledged.insert(response.json().at("sequence").to_number<std::uint64_t>());
  }

  void repeat(const std::function<void()>& work) {
    while (!is_over) {
      try {
        work();
      } catch (const std::runtime_error& problem) {
        ++failed;
        ADD_FAILURE() << problem.what();
        return;
      }
    }
  }
};

// Each on a connection of its own.
template <class Address>
void keep_connecting(Load& load, const Address& address, const HttpRequest& request, int expected) {
  load.repeat([&] {
    RawClient client(address);
    load.note(call(client, request), expected);
  });
}

// On one connection for as long as the server keeps it open.
void keep_publishing(Load& load, std::uint16_t port) {
  std::optional<RawClient> client;
  load.repeat([&] {
    if (!client) client.emplace(port);
    const HttpResponse response = call(*client, note());
    load.note(response, 201);
    if (response.header("connection") == "close") client.reset();
  });
}

// Reads every event up to `end`, and comes back with its last id whenever the stream ends.
struct Watcher {
  std::vector<std::uint64_t> sequences;
  std::set<std::string> byes;
  Milliseconds longest_silence{0};
  std::string cursor = "0";
  std::string last_event;
  SteadyClock::time_point heard = {};

  void watch(std::uint16_t port) {
    Milliseconds retry{0};
    while (last_event != "end") {
      std::this_thread::sleep_for(retry);  // as the stream asks for
      SseClient client(std::make_unique<RawClient>(port), resume_after(cursor));
      EXPECT_EQ(client.hello().json().at("missed"), 0);
      do {
        const SseFrame frame = client.next_event();
        last_event = frame.event;
        if (last_event == "bye") {
          byes.insert(frame.text("reason"));
          retry = Milliseconds{*frame.retry};
        } else {
          take(frame);
        }
      } while (last_event != "bye" && last_event != "end");
    }
  }

  void take(const SseFrame& frame) {
    const auto now = SteadyClock::now();
    const auto silence = std::chrono::duration_cast<Milliseconds>(now - heard);
    heard = now;
    cursor = frame.id;
    if (!sequences.empty()) {
      longest_silence = std::max(longest_silence, silence);
      EXPECT_GT(frame.sequence(), sequences.back());
    }
    sequences.push_back(frame.sequence());
  }
};

TEST(R_DURABLE_4, FiveTakeoversUnderLoadFailNoRequestAndKeepEveryWatcherExact) {
  Restarted oriel;
  Load load;
  std::vector<Watcher> watchers(3);
  std::vector<std::jthread> watching;
  for (Watcher& watcher : watchers) {
    watching.emplace_back([&oriel, &watcher] { EXPECT_NO_THROW(watcher.watch(oriel.port())); });
  }
  {
    const fs::path socket = oriel.server().socket();
    const HttpRequest health{.target = "/health"};
    std::vector<std::jthread> clients;
    clients.emplace_back([&] { keep_publishing(load, oriel.port()); });
    clients.emplace_back([&] { keep_connecting(load, oriel.port(), note(), 201); });
    clients.emplace_back([&] { keep_connecting(load, oriel.port(), health, 200); });
    clients.emplace_back([&] { keep_connecting(load, socket, note(), 201); });
    const std::shared_ptr<void> end(nullptr, [&](void*) { load.is_over = true; });
    for (int i = 0; i <= kTakeovers; ++i) {
      const int before = load.done;
      EXPECT_TRUE(eventually([&] { return load.done > before + 100; }));
      if (i < kTakeovers) oriel.take_over();
    }
  }
  RawClient last(oriel.port());
  HttpRequest end = note();
  end.body = R"({"type":"end"})";
  EXPECT_EQ(call(last, end).status, 201);
  watching.clear();
  EXPECT_EQ(load.failed, 0) << "of " << load.done;
  Milliseconds longest{0};
  for (const Watcher& watcher : watchers) {
    const std::set<std::uint64_t> seen(watcher.sequences.begin(), watcher.sequences.end());
    EXPECT_TRUE(std::includes(seen.begin(), seen.end(), load.acknowledged.begin(),
                              load.acknowledged.end()));
    EXPECT_EQ(watcher.byes, std::set<std::string>{"restart"});
    longest = std::max(longest, watcher.longest_silence);
  }
  RecordProperty("longest_silence_ms", std::to_string(longest.count()));
  EXPECT_TRUE(oriel.server().has_logged("taking over from process"));
}

TEST(R_DURABLE_4, TheUnixSocketKeepsItsPathAndItsMode) {
  Restarted oriel;
  for (int i = 0; i < 2; ++i) {
    oriel.take_over();
    RawClient client(oriel.server().socket());
    EXPECT_EQ(call(client, {.target = "/health"}).status, 200);
    EXPECT_EQ(fs::status(oriel.server().socket()).permissions(), fs::perms(0600));
    EXPECT_EQ(fs::status(oriel.control()).permissions(), fs::perms(0600));
  }
}

TEST(R_DURABLE_4, APollThatWaitsIsAnsweredByTheOldServer) {
  Restarted oriel;
  const HttpResponse made = call(oriel.server(), {.method = "POST",
                                                  .target = "/api/sessions",
                                                  .headers = {{"Content-Type", "application/json"}},
                                                  .body = "{}"});
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string id(made.json().at("session").at("session_id").as_string());
  RawClient poll(oriel.port());
  poll.send("GET /api/sessions/" + id +
            "/events?types=completion&wait_ms=60000 HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_TRUE(poll.is_silent_for(Milliseconds{50}));
  oriel.take_over();
  const HttpResponse response = read_response(poll);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.header("connection"), "close");
  EXPECT_EQ(get(oriel.server(), "/api/sessions/" + id).status, 200);
}

TEST(R_DURABLE_4, TlsAndAnotherUnixSocketAreServedAfterATakeover) {
  TempDir dir;
  const CertificateFiles files = make_certificate(dir.path());
  Restarted oriel({"--tls-cert", files.certificate.string(), "--tls-key", files.key.string(),
                   "--socket", (dir.path() / "a.sock").string()});
  const auto status = [&] {
    TlsClient client(oriel.port(), {.trusted = files.certificate});
    return call(client, {.target = "/health"}).status;
  };
  EXPECT_EQ(status(), 200);
  oriel.take_over();
  EXPECT_EQ(status(), 200);
  RawClient client(dir.path() / "a.sock");
  EXPECT_EQ(call(client, {.target = "/health"}).status, 200);
}

TEST(R_DURABLE_4, WithoutARunningServerATakeoverIsAStart) {
  TempDir dir;
  {
    ServerProcess killed({"--takeover"}, dir.path() / "data");
    killed.kill();
  }
  ServerProcess server({"--takeover"}, dir.path() / "data");
  EXPECT_TRUE(server.has_logged("nothing to take over"));
  EXPECT_EQ(get(server, "/health").status, 200);
}

TEST(R_DURABLE_4, TheLastServerLeavesNoSocketBehind) {
  Restarted oriel;
  oriel.take_over();
  oriel.server().signal(SIGTERM);
  EXPECT_EQ(oriel.server().wait_exit(kPatience), 0);
  EXPECT_FALSE(fs::exists(oriel.control()));
  EXPECT_FALSE(fs::exists(oriel.server().socket()));
  EXPECT_THROW(RawClient(oriel.port()), Closed);
}

TEST(R_DURABLE_4, AnAddressThatDiffersIsListenedOnBeforeTheOldServerStops) {
  Restarted oriel;
  ServerProcess moved({"--takeover"}, oriel.data());
  EXPECT_EQ(moved.port(), oriel.port()) << "port 0 is any";
  EXPECT_EQ(oriel.server().wait_handed_over(), 0);
  ServerProcess elsewhere({"--takeover", "--listen", "127.0.0.2:0"}, oriel.data());
  EXPECT_EQ(moved.wait_handed_over(), 0);
  EXPECT_THROW(RawClient(oriel.port()), Closed);
  RawClient client(elsewhere.socket());
  EXPECT_EQ(call(client, {.target = "/health"}).status, 200);
}

class R_DURABLE_4_Failure : public testing::Test {
 protected:
  // The server is the same, and its watchers have noticed nothing.
  void expect_undisturbed() {
    EXPECT_EQ(oriel_.server().wait_exit(Milliseconds{0}), std::nullopt);
    publish();
    EXPECT_EQ(watcher_.next_event().event, "note");
  }

  void publish() {
    RawClient client(oriel_.port());
    EXPECT_EQ(call(client, note()).status, 201);
  }

  // Asks for the listeners, as a new process does.
  std::unique_ptr<RawClient> ask() const {
    auto client = std::make_unique<RawClient>(oriel_.control());
    client->send(std::string(kRequest) + "\n");
    EXPECT_THAT(client->read_until("\n"), HasSubstr(R"("step":"offer")"));
    return client;
  }

  Restarted oriel_;
  SseClient watcher_{std::make_unique<RawClient>(oriel_.port()), {}};
};

TEST_F(R_DURABLE_4_Failure, ABadOptionOfTheNewServerLeavesTheOldOneServing) {
  watcher_.hello();
  const Finished unknown = oriel_.fail_to_take_over({"--default-agent", "absent"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("unknown agent 'absent'"));
  const Finished exposed = oriel_.fail_to_take_over({"--public-url", "https://oriel.example.org"});
  EXPECT_EQ(exposed.exit_code, 2);
  EXPECT_THAT(exposed.err, HasSubstr("oriel token create"));
  TempDir dir;
  write_file(dir.path() / "cert.pem", "no certificate");
  const std::string file = (dir.path() / "cert.pem").string();
  const Finished broken = oriel_.fail_to_take_over({"--tls-cert", file, "--tls-key", file});
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_THAT(broken.err, HasSubstr("cert.pem"));
  const Finished blocked =
      oriel_.fail_to_take_over({"--socket", (dir.path() / "cert.pem").string()});
  EXPECT_EQ(blocked.exit_code, 1);
  EXPECT_THAT(blocked.err, HasSubstr("not a socket"));
  expect_undisturbed();
}

TEST_F(R_DURABLE_4_Failure, ANewServerThatGoesAwayBeforeItAsksForTheEndChangesNothing) {
  watcher_.hello();
  for (int i = 0; i < 3; ++i)
    ask();
  RawClient silent(oriel_.control());
  silent.close();
  RawClient strange(oriel_.control());
  strange.send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_THAT(strange.read_until("\n"), HasSubstr("refused"));
  expect_undisturbed();
}

TEST_F(R_DURABLE_4_Failure, ANewServerThatDiesBeforeItIsReadyIsReplacedByTheOldOne) {
  watcher_.hello();
  for (int i = 0; i < 2; ++i) {
    const auto successor = ask();
    successor->send(std::string(kDrain) + "\n");
    EXPECT_THAT(successor->read_until("\n"), HasSubstr("released"));
    RawClient waiting(oriel_.port());
    waiting.send(note().bytes());
    EXPECT_TRUE(waiting.is_silent_for(Milliseconds{50})) << "nobody accepts it yet";
    successor->close();
    EXPECT_EQ(read_response(waiting).status, 201);
    EXPECT_TRUE(eventually([&] { return fs::exists(oriel_.control()); }));
  }
  EXPECT_EQ(watcher_.next_event().event, "bye");
  EXPECT_TRUE(oriel_.server().has_logged("serving again"));
  RawClient client(oriel_.server().socket());
  EXPECT_EQ(call(client, note()).status, 201);
  oriel_.take_over();
  publish();
}

// What a process of this user gets from the control socket, which is open to all for the test.
std::string answer_to_user(uid_t user, const fs::path& control) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    if (setgid(user) != 0 || setuid(user) != 0) _exit(1);
    RawClient client(control);
    try {
      client.send(std::string(kRequest) + "\n");
    } catch (const Closed&) {
      // It has refused before it read anything.
    }
    const std::string answer = client.read_until("\n");
    _exit(write(ends[1], answer.data(), answer.size()) < 0 ? 1 : 0);
  }
  close(ends[1]);
  std::string answer(4096, '\0');
  const ssize_t count = read(ends[0], answer.data(), answer.size());
  answer.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return answer;
}

TEST_F(R_DURABLE_4_Failure, AnotherUserGetsNothing) {
  if (getuid() != 0) GTEST_SKIP() << "only root can become another user";
  watcher_.hello();
  constexpr uid_t kNobody = 65534;
  fs::permissions(oriel_.data().parent_path(), fs::perms(0711));
  fs::permissions(oriel_.data(), fs::perms(0711));
  fs::permissions(oriel_.control(), fs::perms(0666));
  EXPECT_THAT(answer_to_user(kNobody, oriel_.control()),
              AllOf(HasSubstr("refused"), HasSubstr("start the new one as the same user"),
                    Not(HasSubstr("schema"))));
  EXPECT_TRUE(oriel_.server().has_logged("takeover refused: user 65534"));
  EXPECT_THAT(answer_to_user(0, oriel_.control()), HasSubstr("offer"));
  expect_undisturbed();
}

// As much of a service manager as there has to be: it holds a socket, and passes it to each server.
class SocketUnit {
 public:
  SocketUnit() : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (bind(socket_, generic, size) != 0 || listen(socket_, 128) != 0 ||
        getsockname(socket_, generic, &size) != 0)
      throw std::runtime_error("cannot listen");
    port_ = ntohs(address.sin_port);
    notify_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    sockaddr_un manager{};
    manager.sun_family = AF_UNIX;
    notify_path().copy(manager.sun_path, sizeof manager.sun_path - 1);
    if (bind(notify_, reinterpret_cast<const sockaddr*>(&manager), sizeof manager) != 0)
      throw std::runtime_error("cannot bind");
  }

  ~SocketUnit() {
    close(socket_);
    close(notify_);
  }

  SocketUnit(const SocketUnit&) = delete;
  SocketUnit& operator=(const SocketUnit&) = delete;

  std::uint16_t port() const { return port_; }

  std::string listen_flag() const { return "127.0.0.1:" + std::to_string(port_); }

  fs::path data() const { return dir_.path() / "data"; }

  ServerProcess start() {
    const Inherited inherited(socket_);
    return ServerProcess({"--listen", listen_flag()}, data(), {{"NOTIFY_SOCKET", notify_path()}},
                         launcher());
  }

  // A start that must fail.
  Finished fail(const std::vector<std::string>& flags) {
    const Inherited inherited(socket_);
    Command command = oriel_command({"serve", "--data-dir", data().string()});
    command.words.insert(command.words.end(), flags.begin(), flags.end());
    const std::vector<std::string> shell = launcher();
    command.words.insert(command.words.begin(), shell.begin(), shell.end());
    return run(command);
  }

  // The next state that a server has reported.
  std::string next_report() const {
    std::string report(256, '\0');
    const timeval limit{.tv_sec = 20, .tv_usec = 0};
    setsockopt(notify_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    const ssize_t size = recv(notify_, report.data(), report.size(), 0);
    report.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return report;
  }

 private:
  // While it exists, a child process gets the descriptor.
  class Inherited {
   public:
    explicit Inherited(int socket) : socket_(socket) { fcntl(socket_, F_SETFD, 0); }

    ~Inherited() { fcntl(socket_, F_SETFD, FD_CLOEXEC); }

    Inherited(const Inherited&) = delete;
    Inherited& operator=(const Inherited&) = delete;

   private:
    int socket_;
  };

  std::string notify_path() const { return (dir_.path() / "notify").string(); }

  std::vector<std::string> launcher() const {
    return {"/bin/bash", "-c",
            "export LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=web; exec \"$@\" 3<&" +
                std::to_string(socket_),
            "bash"};
  }

  TempDir dir_;
  int socket_ = -1;
  int notify_ = -1;
  std::uint16_t port_ = 0;
};

TEST(R_DURABLE_4_Activation, AServerThatIsKilledAndStartedAgainRefusesNoConnection) {
  SocketUnit unit;
  ServerProcess killed = unit.start();
  EXPECT_EQ(unit.next_report(), "READY=1");
  EXPECT_EQ(Publisher(killed).publish_note().sequence, 1u);
  killed.kill();
  RawClient waiting(unit.port());
  waiting.send(note().bytes());
  ServerProcess server = unit.start();
  EXPECT_EQ(read_response(waiting).status, 201);
  EXPECT_EQ(unit.next_report(), "READY=1");
}

TEST(R_DURABLE_4_Activation, ReloadsAndTheStopAreReported) {
  SocketUnit unit;
  ServerProcess server = unit.start();
  EXPECT_EQ(unit.next_report(), "READY=1");
  server.hang_up();
  EXPECT_THAT(unit.next_report(), HasSubstr("RELOADING=1\nMONOTONIC_USEC="));
  EXPECT_EQ(unit.next_report(), "READY=1");
  server.signal(SIGTERM);
  EXPECT_EQ(unit.next_report(), "STOPPING=1");
  EXPECT_EQ(server.wait_exit(kPatience), 0);
  RawClient waiting(unit.port());
  EXPECT_TRUE(waiting.is_silent_for(Milliseconds{20})) << "it waits for the next server";
}

TEST(R_DURABLE_4_Activation, APassedSocketMustBeWhereTheOptionsSay) {
  SocketUnit unit;
  const Finished other = unit.fail({"--listen", "127.0.0.1:1"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, AllOf(HasSubstr("'web'"), HasSubstr(unit.listen_flag()),
                               HasSubstr("--listen is 127.0.0.1:1;")));
}

TEST(R_DURABLE_4_Activation, APassedSocketIsHandedOverToo) {
  SocketUnit unit;
  ServerProcess first = unit.start();
  ServerProcess next({"--takeover", "--listen", unit.listen_flag()}, unit.data());
  EXPECT_EQ(first.wait_handed_over(), 0);
  EXPECT_EQ(next.port(), unit.port());
  EXPECT_EQ(Publisher(next).publish_note().sequence, 1u);
}

}  // namespace
}  // namespace oriel
