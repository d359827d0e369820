#pragma once
// Publishes numbered events, one after another, and notes which were acknowledged.

#include "client/server_access.h"
#include "runtime/asio.h"
#include "verify/evidence.h"

#include <cstdint>
#include <optional>
#include <random>

namespace oriel {

// Lives on one shard. run() must have ended before destruction.
class EventPublisher {
 public:
  EventPublisher(ServerAccess server, unsigned publisher, std::uint64_t seed, Ledger& ledger);

  // Publishes until stop(). An event without a response is not repeated: it may be stored.
  asio::awaitable<void> run();

  // Publishes the next event, with `padding` bytes of text. The sequence if it was acknowledged.
  asio::awaitable<std::optional<Sequence>> publish(std::size_t padding);

  void stop() { is_stopping_ = true; }

 private:
  ServerAccess server_;
  unsigned publisher_;
  std::mt19937_64 random_;
  Ledger& ledger_;
  std::uint64_t next_ = 0;
  bool is_stopping_ = false;
};

}  // namespace oriel
