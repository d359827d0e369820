#pragma once
// The failure policy of coroutines that must not end: they begin again.

#include "runtime/asio.h"

#include <chrono>
#include <functional>
#include <string>

namespace oriel {

// Runs `work`. An exception is logged under the name, and after the pause the work begins again.
// Ends when the work returns, or throws once it is cancelled.
asio::awaitable<void> keep_running(std::string name, std::function<asio::awaitable<void>()> work,
                                   std::chrono::milliseconds pause = std::chrono::seconds(1));

}  // namespace oriel
