#pragma once
// Interrupts blocking work of the start, before the shards run.

#include "runtime/signals.h"

#include <boost/asio/signal_set.hpp>

#include <csignal>
#include <stop_token>
#include <thread>

namespace oriel {

// Requests a stop at SIGINT or SIGTERM, as long as it lives. Other Signals get them as well.
class StopAtSignal {
 public:
  StopAtSignal() {
    signals_.async_wait([this](const boost::system::error_code& failure, int) {
      if (!failure) stop_.request_stop();
    });
    thread_ = std::thread([this] { io_.run(); });
  }

  ~StopAtSignal() {
    io_.stop();
    thread_.join();
  }

  StopAtSignal(const StopAtSignal&) = delete;
  StopAtSignal& operator=(const StopAtSignal&) = delete;

  std::stop_token token() const { return stop_.get_token(); }

 private:
  asio::io_context io_{1};
  asio::signal_set signals_{io_, SIGINT, SIGTERM};
  std::stop_source stop_;
  std::thread thread_;
};

}  // namespace oriel
