#include "mcp/streams/store_budget.h"

#include <utility>

namespace oriel::mcp {
namespace {

// Credits the bytes when the last reference is dropped, on any thread.
struct HeldMessage {
  HeldMessage(Message given, std::shared_ptr<std::atomic<std::size_t>> counted_in)
      : message(std::move(given)), count(std::move(counted_in)) {
    count->fetch_add(message_bytes(message), std::memory_order_relaxed);
  }

  HeldMessage(const HeldMessage&) = delete;
  HeldMessage& operator=(const HeldMessage&) = delete;

  ~HeldMessage() { count->fetch_sub(message_bytes(message), std::memory_order_relaxed); }

  const Message message;
  const std::shared_ptr<std::atomic<std::size_t>> count;
};

// Two shared_ptr counters, and allocator overhead for two blocks.
constexpr std::size_t kAround = 2 * sizeof(void*) + 2 * sizeof(void*);

}  // namespace

std::size_t message_bytes(const Message& message) {
  return sizeof(HeldMessage) + kAround + message.rest.capacity() + message.shared_cost;
}

StoreBudget::StoreBudget(std::size_t limit)
    : limit_(limit), count_(std::make_shared<std::atomic<std::size_t>>(0)) {}

SharedMessage StoreBudget::hold(Message message) const {
  auto held = std::make_shared<const HeldMessage>(std::move(message), count_);
  const Message* const its_message = &held->message;
  return {std::move(held), its_message};
}

}  // namespace oriel::mcp
