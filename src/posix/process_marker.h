#pragma once
// The name that all processes of one agent carry in their environment, wherever they went.

#include <string>

namespace oriel {

// Unique, and fit to name a container. It tells which Oriel made it, so that what an Oriel that was
// killed left behind can be told from what a living one runs.
std::string make_marker();

// Kills what the agents of an Oriel that is gone left behind on this machine. Returns how many.
std::size_t end_abandoned();

}  // namespace oriel
