#pragma once
// The agents that Oriel can run without being told how, and where programs are found.

#include "agent/agent_spec.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// The demo agent first. Commands are what a person would type; what the adapter's language needs
// beside them comes from Adapter::arguments().
std::vector<AgentSpec> known_agents();

// How to get the program of a known agent, as a sentence for a person; empty for an unknown one.
std::string how_to_install(std::string_view agent_name);

// The program that `name` starts, given a value of PATH: absolute, a file, and executable. A name
// with a slash is taken as it stands; entries of PATH that are not absolute are passed over,
// because agents start in other people's directories.
std::optional<std::filesystem::path> find_program(std::string_view name, std::string_view path);

}  // namespace oriel
