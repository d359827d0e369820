#pragma once
// For tests: a real nats-server with JetStream on loopback. It ends with the test's process.

#include "base/temp_directory_testing.h"
#include "cluster/nats_connection.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>

namespace oriel {

// Waits for a condition. False: not within 30 s.
template <class Condition>
bool happens(Condition condition, std::chrono::milliseconds within = std::chrono::seconds(30)) {
  const auto until = std::chrono::steady_clock::now() + within;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

// A socket on a loopback address; port 0: any free one.
class LoopbackSocket {
 public:
  LoopbackSocket() : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}

  ~LoopbackSocket() { ::close(descriptor_); }

  LoopbackSocket(const LoopbackSocket&) = delete;
  LoopbackSocket& operator=(const LoopbackSocket&) = delete;

  bool connects(int port) {
    sockaddr_in address = loopback(port);
    return ::connect(descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }

  // Binds to a free port and returns it.
  int bind() {
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    if (::bind(descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
        ::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
      throw std::runtime_error("no free port");
    return ntohs(address.sin_port);
  }

 private:
  static sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }

  int descriptor_;
};

struct NatsServerSettings {
  bool is_started = true;
  bool has_jetstream = true;
};

class NatsServer {
 public:
  // `configuration`: further lines of its file, such as users or TLS.
  explicit NatsServer(std::string configuration = {}, NatsServerSettings settings = {})
      : settings_(settings),
        configuration_(std::move(configuration)),
        port_(LoopbackSocket().bind()) {
    if (settings_.is_started) start();
  }

  ~NatsServer() { kill(); }

  NatsServer(const NatsServer&) = delete;
  NatsServer& operator=(const NatsServer&) = delete;

  // On the same port and with the same store as before. Returns once it accepts connections.
  void start() {
    std::string text = "listen: 127.0.0.1:" + std::to_string(port_) + "\n" + configuration_;
    if (settings_.has_jetstream)
      text += "jetstream { store_dir: \"" + (directory_ / "store").string() + "\" }\n";
    directory_.add("nats.conf", text);
    process_ = ::fork();
    if (process_ == 0) run();
    if (!happens([this] { return LoopbackSocket().connects(port_); }))
      throw std::runtime_error("nats-server does not start: " + log());
  }

  // As by kill -9.
  void kill() { end(SIGKILL); }

  void stop() { end(SIGTERM); }

  void freeze() const { ::kill(process_, SIGSTOP); }

  void thaw() const { ::kill(process_, SIGCONT); }

  // Loses everything it has stored.
  void wipe() {
    kill();
    std::filesystem::remove_all(directory_ / "store");
  }

  void configure(std::string configuration) { configuration_ = std::move(configuration); }

  std::string url(const std::string& user = {}, const std::string& scheme = "nats") const {
    return scheme + "://" + (user.empty() ? "" : user + "@") + "127.0.0.1:" + std::to_string(port_);
  }

  NatsOptions options() const { return {.servers = {url()}}; }

  const TempDirectory& directory() const { return directory_; }

  int port() const { return port_; }

  std::string log() const {
    std::ifstream in(directory_ / "log");
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  [[noreturn]] void run() const {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int log = ::open((directory_ / "log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    ::execlp("nats-server", "nats-server", "-c", (directory_ / "nats.conf").c_str(), nullptr);
    ::execl("/usr/sbin/nats-server", "nats-server", "-c", (directory_ / "nats.conf").c_str(),
            nullptr);
    ::_exit(127);
  }

  void end(int signal) {
    if (process_ <= 0) return;
    ::kill(process_, signal);
    ::kill(process_, SIGCONT);
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = -1;
  }

  TempDirectory directory_;
  const NatsServerSettings settings_;
  std::string configuration_;
  int port_;
  pid_t process_ = -1;
};

}  // namespace oriel
