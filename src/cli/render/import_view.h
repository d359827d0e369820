#pragma once
// Formats the server's reports of an import for the terminal. Pure.

#include "base/import_state.h"
#include "base/text/printable.h"

#include <boost/json/object.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace oriel {

// "0 B", "812 kB", "1.4 GB".
std::string about_bytes(std::uint64_t bytes);

// None: one that this version does not know.
std::optional<ImportState> import_state_of(const boost::json::object& progress);

// One line: progress bar, counts and speed. `took` is the time since the start.
std::string import_line(const boost::json::object& progress, std::chrono::milliseconds took,
                        std::size_t width = kAnyWidth);

// The result of an ended import, in several lines.
std::string import_summary(const boost::json::object& progress);

// The files that an import would read, one line each, and the total.
std::string import_plan(const boost::json::object& plan);

}  // namespace oriel
