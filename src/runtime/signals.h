#pragma once
// Awaitable signals.

#include "runtime/asio.h"

#include <boost/asio/signal_set.hpp>

#include <initializer_list>

namespace oriel {

// Handles these signals from construction to destruction: they do not end the process. Lives on one
// shard.
class Signals {
 public:
  Signals(asio::any_io_executor shard, std::initializer_list<int> numbers);

  // The next signal's number. Throws operation_aborted once cancelled.
  asio::awaitable<int> next();

 private:
  asio::signal_set signals_;
};

}  // namespace oriel
