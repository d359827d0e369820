#pragma once
// Lines on their way to somebody who may read slowly.

#include "runtime/condition.h"

#include <string>
#include <string_view>

namespace oriel {

// Lives on one thread. Bounded by those who ask for room before they fetch what they will push.
class LineQueue {
 public:
  LineQueue(asio::any_io_executor executor, std::size_t max_bytes)
      : max_bytes_(max_bytes), changed_(std::move(executor)) {}

  // `line` without its line break.
  void push(std::string_view line);

  // Returns once less than the limit waits.
  asio::awaitable<void> room();

  // All that waits, with its line breaks; empty once closed and taken.
  asio::awaitable<std::string> take();

  // No more will be pushed.
  void close();

 private:
  std::size_t max_bytes_;
  std::string bytes_;
  bool is_closed_ = false;
  Condition changed_;
};

}  // namespace oriel
