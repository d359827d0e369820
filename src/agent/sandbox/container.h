#pragma once

#include "posix/spawn.h"
#include "runtime/asio.h"

#include <chrono>

namespace oriel {

// Runs `removal` to its end, within the limit. A failure is logged: a container may be left.
asio::awaitable<void> remove_container(ProcessSpec removal, std::chrono::milliseconds limit);

}  // namespace oriel
