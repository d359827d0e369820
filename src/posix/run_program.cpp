#include "posix/run_program.h"

#include "base/text/utf8.h"
#include "posix/child_process.h"
#include "posix/text_tail.h"
#include "runtime/deadline.h"

#include <boost/asio/buffer.hpp>

#include <array>
#include <csignal>

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

struct Finished {
  ExitStatus status;
  std::string output;
  std::string errors;
};

std::string how_it_ended(const ExitStatus& status) {
  if (status.signal != 0) return " was killed by signal " + std::to_string(status.signal) + ": ";
  return " ended with code " + std::to_string(status.code) + ": ";
}

asio::awaitable<Finished> finish(ChildProcess& child) {
  using namespace asio::experimental::awaitable_operators;
  TextTail output(kMaxOutput);
  TextTail errors(kMaxErrors);
  auto reads = read_all(child.output(), output) && read_all(child.errors(), errors);
  co_await std::move(reads);
  const ExitStatus status = co_await child.exited();
  co_return Finished{
      .status = status, .output = valid_utf8(output.text()), .errors = valid_utf8(errors.text())};
}

}  // namespace

asio::awaitable<Result<std::string>> run_program(ProcessSpec command,
                                                 std::chrono::milliseconds limit) {
  const std::string name = command.argv.at(0);
  auto spawned = spawn(command);
  if (!spawned) co_return spawned.error();
  const auto shard = co_await asio::this_coro::executor;
  ChildProcess child(shard, *std::move(spawned));
  child.input().close();
  Finished finished;
  bool is_slow = false;
  try {
    auto work = finish(child);
    finished = co_await with_deadline(limit, std::move(work));
  } catch (const TimedOut&) {
    is_slow = true;
  }
  if (is_slow) {
    child.signal_group(SIGKILL);
    co_await child.exited();
  }
  child.reap();
  if (is_slow) {
    co_return Error{.kind = ErrorKind::kProgramSlow,
                    .message = name + " did not end in time and was killed",
                    .hint = "run it by hand to see what it waits for"};
  }
  if (finished.status != ExitStatus{}) {
    co_return Error{.kind = ErrorKind::kProgramFailed,
                    .message = name + how_it_ended(finished.status) + finished.errors,
                    .hint = "run it by hand to see more"};
  }
  co_return Result<std::string>(boost::system::in_place_value, finished.output);
}

}  // namespace oriel
