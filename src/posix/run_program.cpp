#include "posix/run_program.h"

#include "base/text/utf8.h"
#include "posix/text_tail.h"
#include "runtime/deadline.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <csignal>
#include <optional>
#include <utility>
#include <vector>

namespace oriel {
namespace {

constexpr std::size_t kMaxOutput = 64 << 10;
constexpr std::size_t kMaxErrors = 2 << 10;

asio::awaitable<void> read_all(asio::posix::stream_descriptor& from, TextTail& tail) {
  std::array<char, 4096> bytes;
  while (true) {
    const auto buffer = asio::buffer(bytes);
    const auto [ec, size] = co_await from.async_read_some(buffer, kNoThrow);
    if (ec) co_return;
    tail.append({bytes.data(), size});
  }
}

std::string how_it_ended(const ExitStatus& status) {
  if (status.signal != 0) return " was killed by signal " + std::to_string(status.signal) + ": ";
  return " ended with code " + std::to_string(status.code) + ": ";
}

asio::awaitable<ProgramEnd> finish(ChildProcess& child) {
  using namespace asio::experimental::awaitable_operators;
  TextTail output(kMaxOutput);
  TextTail errors(kMaxErrors);
  auto reads = read_all(child.output(), output) && read_all(child.errors(), errors);
  co_await std::move(reads);
  const ExitStatus status = co_await child.exited();
  co_return ProgramEnd{
      .status = status, .output = valid_utf8(output.text()), .errors = valid_utf8(errors.text())};
}

Error program_slow(const std::string& name) {
  return {.kind = ErrorKind::kProgramSlow,
          .message = name + " did not end in time and was killed",
          .hint = "run it by hand to see what it waits for"};
}

// The program of a pipe_program() and what happens to its pipes.
class PipedProgram {
 public:
  PipedProgram(std::string name, ChildProcess& child, ProgramPipe pipe)
      : name_(std::move(name)), child_(child), pipe_(std::move(pipe)), errors_(kMaxErrors) {}

  asio::awaitable<Result<std::string>> run() {
    using namespace asio::experimental::awaitable_operators;
    auto pipes = feed() && read_output() && read_all(child_.errors(), errors_);
    co_await std::move(pipes);
    ProgramEnd end;
    end.status = co_await child_.exited();
    end.errors = valid_utf8(errors_.text());
    if (failure_) co_return *failure_;
    if (!is_cut_ && end.status != ExitStatus{}) co_return program_failed(name_, end);
    co_return Result<std::string>(boost::system::in_place_value, std::move(output_));
  }

 private:
  asio::awaitable<void> feed() {
    while (pipe_.input) {
      const Result<std::string> piece = co_await pipe_.input();
      if (!piece) fail(piece.error());
      if (!piece || piece->empty()) break;
      const auto buffer = asio::buffer(*piece);
      const auto [ec, size] = co_await asio::async_write(child_.input(), buffer, kNoThrow);
      if (ec) break;  // it has closed its input, and says why
    }
    child_.input().close();
  }

  asio::awaitable<void> read_output() {
    std::vector<char> bytes(kMaxOutput);
    const auto buffer = asio::buffer(bytes);
    while (true) {
      const auto [ec, size] = co_await child_.output().async_read_some(buffer, kNoThrow);
      if (ec) co_return;
      if (is_cut_) continue;
      if (output_.size() + size <= pipe_.max_output)
        output_.append(bytes.data(), size);
      else if (pipe_.cuts_output)
        cut({bytes.data(), pipe_.max_output - output_.size()});
      else
        fail({.kind = ErrorKind::kProgramFailed, .message = name_ + " wrote too much", .hint = ""});
    }
  }

  void cut(std::string_view last) {
    output_ += last;
    is_cut_ = true;
    child_.signal_group(SIGKILL);
  }

  void fail(Error error) {
    if (!failure_) failure_ = std::move(error);
    child_.signal_group(SIGKILL);
  }

  const std::string name_;
  ChildProcess& child_;
  ProgramPipe pipe_;
  TextTail errors_;
  std::string output_;
  bool is_cut_ = false;
  std::optional<Error> failure_;
};

// Runs `work` until the child has ended. None: it was killed after `limit`.
template <class T>
asio::awaitable<std::optional<T>> end_within(std::chrono::milliseconds limit, ChildProcess& child,
                                             asio::awaitable<T> work) {
  std::optional<T> result;
  try {
    result = co_await with_deadline(limit, std::move(work));
  } catch (const TimedOut&) {
    child.signal_group(SIGKILL);
  }
  if (!result) co_await child.exited();
  child.reap();
  co_return result;
}

}  // namespace

asio::awaitable<Result<ProgramEnd>> run_to_end(ProcessSpec command,
                                               std::chrono::milliseconds limit) {
  const std::string name = command.argv.at(0);
  auto spawned = spawn(command);
  if (!spawned) co_return spawned.error();
  const auto shard = co_await asio::this_coro::executor;
  ChildProcess child(shard, *std::move(spawned));
  child.input().close();
  auto work = end_within(limit, child, finish(child));
  auto end = co_await std::move(work);
  if (!end) co_return program_slow(name);
  co_return *std::move(end);
}

Error program_failed(const std::string& name, const ProgramEnd& end) {
  return {.kind = ErrorKind::kProgramFailed,
          .message = name + how_it_ended(end.status) + end.errors,
          .hint = "run it by hand to see more"};
}

asio::awaitable<Result<std::string>> run_program(ProcessSpec command,
                                                 std::chrono::milliseconds limit) {
  const std::string name = command.argv.at(0);
  auto running = run_to_end(std::move(command), limit);
  auto end = co_await std::move(running);
  if (!end) co_return end.error();
  if (end->status != ExitStatus{}) co_return program_failed(name, *end);
  co_return Result<std::string>(boost::system::in_place_value, std::move(end->output));
}

asio::awaitable<Result<std::string>> pipe_program(ProcessSpec command,
                                                  std::chrono::milliseconds limit,
                                                  ProgramPipe pipe) {
  const std::string name = command.argv.at(0);
  auto spawned = spawn(command);
  if (!spawned) co_return spawned.error();
  const auto shard = co_await asio::this_coro::executor;
  ChildProcess child(shard, *std::move(spawned));
  PipedProgram program(name, child, std::move(pipe));
  auto work = end_within(limit, child, program.run());
  auto ended = co_await std::move(work);
  if (!ended) co_return program_slow(name);
  co_return *std::move(ended);
}

}  // namespace oriel
