#pragma once
// The arguments of a tool call, as JSON text, for people.

#include <string>
#include <string_view>

namespace oriel {

// The most useful argument of a tool call (command, file, pattern), else all of them. Of text that
// is not JSON, the first line.
std::string short_arguments(std::string_view arguments);

}  // namespace oriel
