#pragma once
// The signals that end the server, as something to await.

#include "runtime/asio.h"

#include <boost/asio/signal_set.hpp>

namespace oriel {

// SIGINT and SIGTERM, from construction to destruction. Lives on one shard.
class StopSignals {
 public:
  explicit StopSignals(asio::any_io_executor shard);

  // The next signal's number. Throws operation_aborted once cancelled.
  asio::awaitable<int> next();

 private:
  asio::signal_set signals_;
};

}  // namespace oriel
