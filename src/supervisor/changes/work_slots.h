#pragma once
// Limits how much work runs at once, and how much waits for it.

#include "base/error.h"
#include "runtime/condition.h"

#include <cstddef>
#include <utility>

namespace oriel {

// Belongs to one shard.
class WorkSlots {
 public:
  // Occupied until it is destroyed.
  class Slot {
   public:
    explicit Slot(WorkSlots* slots) : slots_(slots) {}

    Slot(Slot&& other) noexcept : slots_(std::exchange(other.slots_, nullptr)) {}

    Slot& operator=(Slot&&) = delete;

    ~Slot() {
      if (slots_ == nullptr) return;
      --slots_->running_;
      slots_->freed_.notify();
    }

   private:
    WorkSlots* slots_;
  };

  WorkSlots(const asio::any_io_executor& shard, std::size_t max_running, std::size_t max_waiting)
      : freed_(shard), max_running_(max_running), max_waiting_(max_waiting) {}

  // Waits for a free one. Error: too_many_requests.
  asio::awaitable<Result<Slot>> take() {
    if (running_ >= max_running_ && waiting_ >= max_waiting_) {
      co_return Error{.kind = ErrorKind::kTooManyRequests,
                      .message = "too many requests read workspaces at once",
                      .hint = "retry in a few seconds"};
    }
    ++waiting_;
    const Waiting waits(waiting_);
    while (running_ >= max_running_)
      co_await freed_.wait();
    ++running_;
    co_return Slot(this);
  }

 private:
  // Also ends the wait of a request that is cancelled.
  class Waiting {
   public:
    explicit Waiting(std::size_t& count) : count_(count) {}

    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

    ~Waiting() { --count_; }

   private:
    std::size_t& count_;
  };

  Condition freed_;
  const std::size_t max_running_;
  const std::size_t max_waiting_;
  std::size_t running_ = 0;
  std::size_t waiting_ = 0;
};

}  // namespace oriel
