#pragma once
// The limit of stream clients, exact over all shards.

#include <atomic>
#include <memory>

namespace oriel {

class ClientSlots;

// Occupies one of the slots until it is destroyed.
class ClientSlot {
 public:
  explicit ClientSlot(std::shared_ptr<ClientSlots> slots) : slots_(std::move(slots)) {}

  ~ClientSlot();
  ClientSlot(const ClientSlot&) = delete;
  ClientSlot& operator=(const ClientSlot&) = delete;

 private:
  std::shared_ptr<ClientSlots> slots_;
};

// Thread-safe.
class ClientSlots : public std::enable_shared_from_this<ClientSlots> {
 public:
  explicit ClientSlots(std::size_t limit) : limit_(limit) {}

  // Null if all are taken.
  std::shared_ptr<ClientSlot> take() {
    std::size_t taken = taken_.load();
    while (taken < limit_) {
      if (taken_.compare_exchange_weak(taken, taken + 1)) {
        return std::make_shared<ClientSlot>(shared_from_this());
      }
    }
    return nullptr;
  }

  std::size_t taken() const { return taken_.load(); }

  std::size_t limit() const { return limit_; }

 private:
  friend class ClientSlot;

  std::size_t limit_;
  std::atomic<std::size_t> taken_{0};
};

inline ClientSlot::~ClientSlot() {
  slots_->taken_.fetch_sub(1);
}

}  // namespace oriel
