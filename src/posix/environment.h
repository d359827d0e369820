#pragma once
// Environment variables as a value.

#include <map>
#include <string>
#include <vector>

namespace oriel {

using Environment = std::map<std::string, std::string, std::less<>>;

// The variables of this process.
Environment own_environment();

// The value of PATH, or the usual default.
std::string program_path(const Environment& environment);

// NAME=VALUE, in the form that exec needs.
std::vector<std::string> environment_lines(const Environment& environment);

}  // namespace oriel
