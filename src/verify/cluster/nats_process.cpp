#include "verify/cluster/nats_process.h"

#include "posix/environment.h"
#include "posix/program.h"
#include "runtime/deadline.h"

#include <boost/asio/ip/tcp.hpp>
#include <spdlog/fmt/fmt.h>

#include <chrono>
#include <csignal>
#include <utility>

namespace oriel {
namespace {

using asio::ip::tcp;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr const char* kProgram = "nats-server";
constexpr milliseconds kNatsStartTime{20'000};
constexpr milliseconds kNatsKillTime{30'000};
constexpr milliseconds kLookAgain{50};

tcp::endpoint loopback_at(std::uint16_t port) {
  return {asio::ip::address_v4::loopback(), port};
}

std::uint16_t free_port(const asio::any_io_executor& shard) {
  return tcp::acceptor(shard, loopback_at(0)).local_endpoint().port();
}

}  // namespace

NatsProcess::NatsProcess(asio::any_io_executor shard, std::filesystem::path directory)
    : shard_(shard), directory_(std::move(directory)), port_(free_port(shard)) {}

NatsProcess::~NatsProcess() = default;

std::string NatsProcess::url() const {
  return fmt::format("nats://127.0.0.1:{}", port_);
}

asio::awaitable<Result<void>> NatsProcess::start() {
  const Environment environment = own_environment();
  const auto program = find_program(kProgram, program_path(environment));
  if (!program) {
    co_return Error{.kind = program.error().kind,
                    .message = "a cluster needs nats-server: " + program.error().message,
                    .hint = "install it, or add its directory to PATH"};
  }
  const auto log = directory_ / "nats.log";
  auto spawned = spawn({.argv = {*program, "-a", "127.0.0.1", "-p", std::to_string(port_), "-js",
                                 "-sd", (directory_ / "data").string(), "-l", log.string()},
                        .environment = environment,
                        .directory = directory_});
  if (!spawned) co_return spawned.error();
  process_ = std::make_unique<ChildProcess>(shard_, std::move(*spawned));
  const auto until = Clock::now() + kNatsStartTime;
  asio::steady_timer timer(shard_);
  while (Clock::now() < until) {
    tcp::socket socket(shard_);
    const tcp::endpoint server = loopback_at(port_);
    auto [ec] = co_await socket.async_connect(server, kNoThrow);
    if (!ec) co_return Result<void>();
    timer.expires_after(kLookAgain);
    co_await timer.async_wait(asio::use_awaitable);
  }
  co_return Error{.kind = ErrorKind::kCannotStart,
                  .message = "nats-server does not accept connections",
                  .hint = "read its log: " + log.string()};
}

asio::awaitable<void> NatsProcess::kill() {
  if (!process_) co_return;
  process_->signal_group(SIGKILL);
  auto exiting = process_->exited();
  try {
    co_await with_deadline(kNatsKillTime, std::move(exiting));
    process_->reap();
  } catch (const TimedOut&) {
    process_->abandon();
  }
  process_.reset();
}

void NatsProcess::freeze() const {
  process_->signal_group(SIGSTOP);
}

void NatsProcess::thaw() const {
  process_->signal_group(SIGCONT);
}

}  // namespace oriel
