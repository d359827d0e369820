#pragma once
// Environment variables as a value.

#include <map>
#include <string>
#include <vector>

namespace oriel {

using Environment = std::map<std::string, std::string, std::less<>>;

// The variables of this process.
Environment own_environment();

// Its PATH, or where programs usually are.
std::string program_path(const Environment& environment);

// NAME=VALUE, as exec takes it.
std::vector<std::string> environment_lines(const Environment& environment);

}  // namespace oriel
