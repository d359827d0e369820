#pragma once
// Relays bytes between two connections.

#include "runtime/asio.h"

#include <boost/asio/ip/tcp.hpp>

#include <chrono>

namespace oriel {

// Copies bytes between two connections in both directions. Returns when both directions have ended,
// or after the idle timeout.
asio::awaitable<void> relay(asio::ip::tcp::socket& client, asio::ip::tcp::socket& server,
                            std::chrono::milliseconds idle_timeout);

}  // namespace oriel
