#pragma once
// Removes containers.

#include "posix/spawn.h"
#include "runtime/asio.h"

#include <chrono>

namespace oriel {

// Runs `removal` within the limit. Logs a failure, after which the container may remain.
asio::awaitable<void> remove_container(ProcessSpec removal, std::chrono::milliseconds limit);

}  // namespace oriel
