#include "agent/container.h"

#include "agent/child_process.h"
#include "core/log.h"
#include "core/quote.h"
#include "runtime/deadline.h"

#include <boost/asio/buffer.hpp>

#include <csignal>
#include <string>

namespace oriel {
namespace {

// What waits in the pipe of a program that has ended.
std::string read_rest(asio::posix::stream_descriptor& pipe) {
  std::string text(1000, '\0');
  error_code ec;
  text.resize(pipe.read_some(asio::buffer(text), ec));
  return text;
}

}  // namespace

asio::awaitable<void> remove_container(Command removal, std::chrono::milliseconds limit) {
  Result<Spawned> spawned = spawn(removal);
  if (!spawned) {
    log()->error("cannot remove a container: {}", spawned.error().message);
    co_return;
  }
  ChildProcess remover(co_await asio::this_coro::executor, std::move(*spawned));
  ExitStatus status{.code = 0, .signal = SIGKILL};
  try {
    auto exit = remover.exited();
    status = co_await with_deadline(limit, std::move(exit));
  } catch (const TimedOut&) {
  }
  const std::string errors = read_rest(remover.errors());
  const bool is_gone = status == ExitStatus{} || errors.find("No such container") != errors.npos;
  if (!is_gone)
    log()->error("cannot remove the container {}: {}", removal.argv.back(), quote(errors));
}

}  // namespace oriel
