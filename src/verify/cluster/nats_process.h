#pragma once
// The NATS server of a verified cluster: a child process with JetStream, on a port of loopback that
// it keeps.

#include "base/error.h"
#include "posix/child_process.h"
#include "runtime/asio.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace oriel {

// Lives on one shard.
class NatsProcess {
 public:
  // `directory` is for its data and its log, and must exist.
  NatsProcess(asio::any_io_executor shard, std::filesystem::path directory);
  ~NatsProcess();  // kills it

  // Returns once it accepts connections. Errors: kProgramMissing (no nats-server on the PATH),
  // kCannotStart.
  asio::awaitable<Result<void>> start();

  asio::awaitable<void> kill();

  void freeze() const;
  void thaw() const;

  bool is_running() const { return process_ != nullptr; }

  pid_t pid() const { return process_->pid(); }

  std::string url() const;

 private:
  asio::any_io_executor shard_;
  std::filesystem::path directory_;
  std::uint16_t port_;
  std::unique_ptr<ChildProcess> process_;
};

}  // namespace oriel
