#pragma once
// The bytes that all event stores of a server hold together, each message counted once however many
// streams share it, until the last of them has let go of it. What it shares with others counts as
// its own: it may be the last who holds it.

#include "mcp/message.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

namespace oriel::mcp {

// What a message costs, with what is needed around it.
std::size_t message_bytes(const Message& message);

// May be used on any thread.
class StoreBudget {
 public:
  explicit StoreBudget(std::size_t limit);

  // It counts from now until nobody holds it, also beyond the budget's own life.
  SharedMessage hold(Message message) const;

  // What a store needs beside the messages.
  void add(std::size_t bytes) const { count_->fetch_add(bytes, std::memory_order_relaxed); }

  void remove(std::size_t bytes) const { count_->fetch_sub(bytes, std::memory_order_relaxed); }

  std::size_t held() const { return count_->load(std::memory_order_relaxed); }

  bool is_over() const { return held() > limit_; }

  // What of all this may not go for others' sake: the responses that were not yet sent.
  void pin(std::size_t bytes) { pinned_.fetch_add(bytes, std::memory_order_relaxed); }

  void unpin(std::size_t bytes) { pinned_.fetch_sub(bytes, std::memory_order_relaxed); }

  bool is_over_by_pinned_alone() const { return pinned_.load(std::memory_order_relaxed) > limit_; }

 private:
  std::size_t limit_;
  std::atomic<std::size_t> pinned_{0};
  std::shared_ptr<std::atomic<std::size_t>> count_;
};

}  // namespace oriel::mcp
