#pragma once
// The server that `oriel verify` starts, kills and stops: a child process on a free port of
// loopback.

#include "base/error.h"
#include "http/url.h"
#include "posix/child_process.h"
#include "posix/environment.h"
#include "posix/file_descriptor.h"
#include "runtime/task_group.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct TestedServerOptions {
  std::filesystem::path program;    // oriel
  std::filesystem::path directory;  // of its data, its log and its agents; must exist
  std::vector<std::string> flags = {};
};

// Writes a configuration with the demo agent, whose conversations are beside it. `program`: oriel.
Result<void> write_server_config(const std::filesystem::path& file,
                                 const std::filesystem::path& program);

// Flags of a server with this configuration.
std::vector<std::string> server_flags(const std::filesystem::path& config,
                                      const std::filesystem::path& data);

// Lives on one shard.
class TestedServer {
 public:
  TestedServer(asio::any_io_executor shard, TestedServerOptions options);
  ~TestedServer();  // kills it; its process must have ended, or wait_exit() not be in progress

  // Returns once it is ready. `failpoints`: for ORIEL_FAILPOINTS. The error has the end of its log,
  // or says that it exited at a failpoint.
  asio::awaitable<Result<void>> start(std::string failpoints);

  std::uint16_t port() const { return port_; }

  bool is_running() const { return process_ != nullptr; }

  pid_t pid() const { return process_->pid(); }

  void signal(int number) const;

  // Waits for its exit and reaps it; none if it still runs after `limit`.
  asio::awaitable<std::optional<ExitStatus>> wait_exit(std::chrono::milliseconds limit);

  // The most memory that the current or last process has used, in bytes.
  std::uint64_t peak_memory() const { return peak_memory_; }

 private:
  asio::awaitable<Result<std::string>> read_ready_line();
  asio::awaitable<void> copy_log(std::shared_ptr<ChildProcess> process);
  Result<void> take_ready_line(const std::string& line);
  ProcessSpec command(const std::string& failpoints) const;
  void measure();

  asio::any_io_executor shard_;
  TestedServerOptions options_;
  FileDescriptor log_;
  std::shared_ptr<ChildProcess> process_;
  std::uint16_t port_ = 0;
  std::uint64_t peak_memory_ = 0;
  TaskGroup tasks_;
};

// Of a server on this port of loopback.
http::Url loopback_url(std::uint16_t port);

// "exit code 0", "signal 9".
std::string describe(const ExitStatus& status);

// Processes that ended servers left behind, as text. Reaps those that have exited. `running`: those
// that have not ended.
std::vector<std::string> processes_left(const std::vector<pid_t>& running = {});

}  // namespace oriel
