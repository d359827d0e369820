#pragma once
// `oriel serve` on a free loopback port, with a data directory of its own unless one is given.

#include "child_process.h"
#include "deadline.h"

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// Ready to be called once constructed. Its destructor stops it with SIGTERM and reports a failure
// if it does not then exit 0, or has died before, or a sanitizer has complained: so every test
// proves a clean end too.
class ServerProcess {
 public:
  // An empty data_dir means a new one that goes with the server. `launcher` is a program, with its
  // arguments, that becomes the server.
  explicit ServerProcess(const std::vector<std::string>& flags = {},
                         const std::filesystem::path& data_dir = {}, Environment environment = {},
                         const std::vector<std::string>& launcher = {});
  ~ServerProcess();

  const std::string& url() const { return url_; }

  std::uint16_t port() const { return port_; }

  // "127.0.0.1:port", as for a Host header.
  std::string authority() const { return "127.0.0.1:" + std::to_string(port_); }

  const std::filesystem::path& data_dir() const { return data_dir_; }

  // Its Unix socket, unless a flag names another.
  std::filesystem::path socket() const { return data_dir_ / "oriel.sock"; }

  std::string log() const { return process_->err(); }

  // Waits until the log has this text: it is written in the background.
  bool has_logged(std::string_view text) const {
    return eventually([&] { return log().find(text) != std::string::npos; });
  }

  pid_t pid() const { return process_->pid(); }

  // SIGHUP.
  void hang_up() { process_->signal(SIGHUP); }

  // The end is up to the test from now on.
  void signal(int number);

  // Its exit code, once another process has taken over from it.
  std::optional<int> wait_handed_over() {
    was_signalled_ = true;
    return wait_exit(kPatience);
  }

  std::optional<int> wait_exit(Milliseconds within) { return process_->wait_exit(within); }

  // SIGKILL: as if it had crashed.
  void kill();

 private:
  TempDir own_dir_;
  std::filesystem::path data_dir_;
  std::unique_ptr<TestProcess> process_;
  std::string url_;
  std::uint16_t port_ = 0;
  bool was_signalled_ = false;
};

}  // namespace oriel
