#pragma once
// Lines for a reader that may be slow.

#include "runtime/condition.h"

#include <string>
#include <string_view>

namespace oriel {

// Lives on one thread. Writers keep it bounded: they wait for wait_for_space() before they fetch
// what they push.
class LineQueue {
 public:
  LineQueue(const asio::any_io_executor& executor, std::size_t max_bytes)
      : max_bytes_(max_bytes), changed_(executor) {}

  // `line` without its line break.
  void push(std::string_view line);

  // Waits until it holds fewer bytes than the limit.
  asio::awaitable<void> wait_for_space();

  // Takes all lines, with their line breaks; empty once closed and drained.
  asio::awaitable<std::string> take();

  // Nothing is pushed after this.
  void close();

 private:
  std::size_t max_bytes_;
  std::string bytes_;
  bool is_closed_ = false;
  Condition changed_;
};

}  // namespace oriel
