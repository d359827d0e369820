#pragma once
// The bytes that all event stores of a server hold. Each message is charged once until its last
// reference is dropped, including shared bytes, because the store may hold their last reference.

#include "mcp/message.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

namespace oriel::mcp {

// The cost of a message, including overhead.
std::size_t message_bytes(const Message& message);

// Thread-safe.
class StoreBudget {
 public:
  explicit StoreBudget(std::size_t limit);

  // Charges the message until its last reference is dropped, which may outlive the budget.
  SharedMessage hold(Message message) const;

  // Overhead of the stores.
  void add(std::size_t bytes) const { count_->fetch_add(bytes, std::memory_order_relaxed); }

  void remove(std::size_t bytes) const { count_->fetch_sub(bytes, std::memory_order_relaxed); }

  std::size_t held() const { return count_->load(std::memory_order_relaxed); }

  bool is_over() const { return held() > limit_; }

  // Unsent responses, which are not evicted for other events.
  void pin(std::size_t bytes) { pinned_.fetch_add(bytes, std::memory_order_relaxed); }

  void unpin(std::size_t bytes) { pinned_.fetch_sub(bytes, std::memory_order_relaxed); }

  bool is_over_by_pinned_alone() const { return pinned_.load(std::memory_order_relaxed) > limit_; }

 private:
  std::size_t limit_;
  std::atomic<std::size_t> pinned_{0};
  std::shared_ptr<std::atomic<std::size_t>> count_;
};

}  // namespace oriel::mcp
