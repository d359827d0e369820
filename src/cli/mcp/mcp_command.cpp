#include "cli/mcp/mcp_command.h"

#include "cli/mcp/mcp_bridge.h"
#include "cli/mcp/standard_io.h"
#include "posix/line_splitter.h"
#include "runtime/blocking_thread.h"
#include "runtime/deadline.h"
#include "runtime/signals.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>

#include <csignal>
#include <iostream>
#include <unistd.h>

namespace oriel {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMaxUnreadBytes = 4 << 20;
// For pending responses at the end of the input. Clients wait two seconds for the exit.
constexpr milliseconds kGrace{1'500};
constexpr milliseconds kFlushTime{500};

// Lives on one thread; reading and writing block on two others.
class McpStdio {
 public:
  McpStdio(asio::io_context& io, ServerAccess server)
      : stdio_(STDIN_FILENO, STDOUT_FILENO),
        signals_(io.get_executor(), {SIGINT, SIGTERM}),
        output_(io.get_executor(), kMaxUnreadBytes),
        bridge_(io.get_executor(), std::move(server), output_,
                [](const std::string& text) { std::cerr << "oriel: " << text << std::endl; }),
        ended_(io.get_executor()),
        tasks_(io.get_executor()) {
    std::signal(SIGPIPE, SIG_IGN);
  }

  asio::awaitable<int> run() {
    tasks_.spawn("output", write_lines());
    tasks_.spawn("signals", handle_signals());
    tasks_.spawn("input", read_lines());
    while (!is_over_)
      co_await ended_.wait();
    auto finishing = bridge_.finish(grace_);
    co_await std::move(finishing);
    output_.close();
    auto flushing = outcome_of(with_deadline(kFlushTime, flushed()));
    co_await std::move(flushing);
    stdio_.stop();
    tasks_.cancel();
    co_await tasks_.joined();
    co_return 0;
  }

 private:
  void end(milliseconds grace) {
    is_over_ = true;
    grace_ = grace;
    ended_.notify();
  }

  asio::awaitable<void> handle_signals() {
    co_await signals_.next();
    end(milliseconds(0));
    co_await signals_.next();
    ::_exit(0);
  }

  asio::awaitable<void> read_lines() {
    LineSplitter splitter(kMaxMcpMessageBytes);
    for (;;) {
      auto reading = reader_.run([this] { return stdio_.read(); });
      const auto bytes = co_await std::move(reading);
      if (!bytes || is_over_) break;
      for (Line& line : splitter.take(*bytes)) {
        auto taking = take(std::move(line));
        co_await std::move(taking);
      }
    }
    if (auto rest = splitter.finish(); rest && !is_over_) {
      auto taking = take(std::move(*rest));
      co_await std::move(taking);
    }
    if (!is_over_) end(kGrace);
  }

  asio::awaitable<void> take(Line line) {
    if (line.is_too_long) {
      const mcp::RpcError error{.code = mcp::kInvalidRequest,
                                .message = "message of " + std::to_string(line.size) +
                                           " bytes exceeds the limit of 64MiB",
                                .data = {}};
      output_.push(mcp::rpc_error(nullptr, error));
      co_return;
    }
    if (line.text.find_first_not_of(" \t\r") == std::string::npos) co_return;
    auto taking = bridge_.take(std::move(line.text));
    co_await std::move(taking);
  }

  asio::awaitable<void> write_lines() {
    for (;;) {
      auto lines = co_await output_.take();
      if (lines.empty()) break;
      auto writing = writer_.run([this, lines = std::move(lines)] { return stdio_.write(lines); });
      const bool is_written = co_await std::move(writing);
      if (!is_written) break;
    }
    is_flushed_ = true;
    end(milliseconds(0));
  }

  asio::awaitable<void> flushed() {
    while (!is_flushed_)
      co_await ended_.wait();
  }

  StandardIo stdio_;
  Signals signals_;
  LineQueue output_;
  McpBridge bridge_;
  bool is_over_ = false;
  bool is_flushed_ = false;
  milliseconds grace_{0};
  Condition ended_;
  BlockingThread reader_;
  BlockingThread writer_;
  TaskGroup tasks_;
};

}  // namespace

int serve_mcp_stdio(const McpStdioOptions& options) {
  asio::io_context io(1);
  McpStdio stdio(io, options.server);
  auto exit_code = asio::co_spawn(io, stdio.run(), asio::use_future);
  io.run();
  return exit_code.get();
}

}  // namespace oriel
