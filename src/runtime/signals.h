#pragma once
// Awaitable SIGINT and SIGTERM.

#include "runtime/asio.h"

#include <boost/asio/signal_set.hpp>

namespace oriel {

// Handles the signals from construction to destruction. Lives on one shard.
class StopSignals {
 public:
  explicit StopSignals(asio::any_io_executor shard);

  // The next signal's number. Throws operation_aborted once cancelled.
  asio::awaitable<int> next();

 private:
  asio::signal_set signals_;
};

}  // namespace oriel
