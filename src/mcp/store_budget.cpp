#include "mcp/store_budget.h"

#include <utility>

namespace oriel {
namespace {

// Gives its bytes back to the count when the last who holds it lets go, on whichever thread.
struct Payload {
  Payload(std::string given, std::shared_ptr<std::atomic<std::size_t>> counted_in)
      : bytes(std::move(given)), count(std::move(counted_in)) {
    count->fetch_add(payload_bytes(bytes), std::memory_order_relaxed);
  }

  Payload(const Payload&) = delete;
  Payload& operator=(const Payload&) = delete;

  ~Payload() { count->fetch_sub(payload_bytes(bytes), std::memory_order_relaxed); }

  const std::string bytes;
  const std::shared_ptr<std::atomic<std::size_t>> count;
};

// Two counters of shared_ptr, and what the allocator needs for each of two blocks.
constexpr std::size_t kAround = 2 * sizeof(void*) + 2 * sizeof(void*);

}  // namespace

std::size_t payload_bytes(const std::string& bytes) {
  return sizeof(Payload) + kAround + bytes.capacity();
}

StoreBudget::StoreBudget(std::size_t limit)
    : limit_(limit), count_(std::make_shared<std::atomic<std::size_t>>(0)) {}

SharedBytes StoreBudget::hold(std::string bytes) const {
  auto payload = std::make_shared<const Payload>(std::move(bytes), count_);
  const std::string* const text = &payload->bytes;
  return {std::move(payload), text};
}

}  // namespace oriel
