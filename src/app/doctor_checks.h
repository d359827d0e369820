#pragma once
// The checks of `oriel doctor`, each for itself. They look and leave everything as it is. They
// block, each no longer than kCheckLimit or so.

#include "agent/agent_spec.h"
#include "app/finding.h"
#include "app/serve_options.h"

#include <chrono>
#include <filesystem>
#include <string>

namespace oriel {

constexpr std::chrono::seconds kCheckLimit{10};

// Is its program there, does it say its version? `path` is the value of PATH.
Finding check_agent(const AgentSpec& agent, const std::string& path);

// Is there an agent at all, given what check_agent() found?
Finding check_any_agent(const std::vector<Finding>& agents);

// Does it work, not only: is it installed? Not for kNone.
Finding check_sandbox(SandboxKind kind, const std::string& path);

Finding check_git(const std::string& path);

// Is the address free, or is an Oriel there already?
Finding check_listen(const ServeOptions& options);

// May the server listen there: beyond loopback it needs a token.
Finding check_tokens(const ServeOptions& options);

// Can it be written, or be made; is there room?
Finding check_data_dir(const std::filesystem::path& directory);

}  // namespace oriel
