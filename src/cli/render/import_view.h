#pragma once
// An import as a person sees it: what the server says of it in, text for the terminal out. Pure.

#include "base/printable.h"

#include <boost/json/object.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace oriel {

// "0 B", "812 kB", "1.4 GB": about so much.
std::string about_bytes(std::uint64_t bytes);

// One line, for the eye: a bar, how far it is and how fast. `took` is since it began.
std::string import_line(const boost::json::object& progress, std::chrono::milliseconds took,
                        std::size_t width = kAnyWidth);

// What has come of it, when it has ended: some lines.
std::string import_summary(const boost::json::object& progress);

// What an import would read: a line for each file, and the total.
std::string import_plan(const boost::json::object& plan);

}  // namespace oriel
