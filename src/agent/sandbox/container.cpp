#include "agent/sandbox/container.h"

#include "base/log.h"
#include "base/text/quote.h"
#include "posix/run_program.h"

#include <string>

namespace oriel {

asio::awaitable<void> remove_container(ProcessSpec removal, std::chrono::milliseconds limit) {
  const std::string container = removal.argv.back();
  const auto removed = co_await run_program(std::move(removal), limit);
  if (removed) co_return;
  const std::string& problem = removed.error().message;
  if (problem.find("No such container") != problem.npos) co_return;
  log()->error("cannot remove the container {}: {}", container, quote(problem));
}

}  // namespace oriel
