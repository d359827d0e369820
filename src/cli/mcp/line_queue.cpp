#include "cli/mcp/line_queue.h"

#include <utility>

namespace oriel {

void LineQueue::push(std::string_view line) {
  bytes_.append(line).append("\n");
  changed_.notify();
}

asio::awaitable<void> LineQueue::wait_for_space() {
  while (bytes_.size() >= max_bytes_)
    co_await changed_.wait();
}

asio::awaitable<std::string> LineQueue::take() {
  while (bytes_.empty() && !is_closed_)
    co_await changed_.wait();
  std::string taken = std::exchange(bytes_, {});
  changed_.notify();
  co_return taken;
}

void LineQueue::close() {
  is_closed_ = true;
  changed_.notify();
}

}  // namespace oriel
