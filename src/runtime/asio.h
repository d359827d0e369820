#pragma once
// The parts of Asio that every module uses.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace oriel {

namespace asio = boost::asio;
using boost::system::error_code;

// Completion token for failures that the caller expects: auto [ec, n] = co_await op(kNoThrow).
constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);

}  // namespace oriel
