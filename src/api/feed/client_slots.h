#pragma once
// Limits of stream clients, in total and per credential, exact over all shards.

#include "base/keyed_limit.h"

#include <boost/system/result.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace oriel {

class ClientSlots;

struct ClientLimits {
  std::size_t all = 100;
  std::size_t per_principal = 50;
};

// Which limit is reached.
enum class FullSlots { kAll, kOfPrincipal };

// Occupies one of the slots until it is destroyed.
class ClientSlot {
 public:
  ClientSlot(std::shared_ptr<ClientSlots> slots, std::string credential_id)
      : slots_(std::move(slots)), credential_id_(std::move(credential_id)) {}

  ~ClientSlot();
  ClientSlot(const ClientSlot&) = delete;
  ClientSlot& operator=(const ClientSlot&) = delete;

 private:
  std::shared_ptr<ClientSlots> slots_;
  std::string credential_id_;
};

// Thread-safe.
class ClientSlots : public std::enable_shared_from_this<ClientSlots> {
 public:
  using Taken = boost::system::result<std::shared_ptr<ClientSlot>, FullSlots>;

  explicit ClientSlots(ClientLimits limits) : limits_(limits), own_(limits.per_principal) {}

  // The operator, whose credential id is empty, has no limit of its own.
  Taken take(const std::string& credential_id);

  std::size_t taken() const { return taken_.load(); }

  const ClientLimits& limits() const { return limits_; }

  // How often this limit rejected a client.
  std::uint64_t refused(FullSlots limit) const {
    return limit == FullSlots::kAll ? refused_.load() : refused_own_.load();
  }

 private:
  friend class ClientSlot;

  bool take_one();

  ClientLimits limits_;
  std::atomic<std::size_t> taken_{0};
  KeyedLimit own_;  // by credential id
  std::atomic<std::uint64_t> refused_{0};
  std::atomic<std::uint64_t> refused_own_{0};
};

}  // namespace oriel
