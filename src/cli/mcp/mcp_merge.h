#pragma once
// Puts Oriel into the configuration file of an MCP client: sets the keys of the entry, removes
// those of the other transport, and keeps all others. If no token is given, the one that is there
// stays. Pure.

#include "base/error.h"
#include "cli/mcp/mcp_clients.h"

#include <optional>
#include <string>

namespace oriel {

// The text of the client's JSON file with the entry; reindented. None if nothing changes. An error
// if the text is not JSON or has another shape.
Result<std::optional<std::string>> merge_mcp_json(const std::string& text, const McpClient& client,
                                                  McpEntry entry);

// The same for Codex's TOML: changes only lines of the table [mcp_servers.oriel], or appends it.
Result<std::optional<std::string>> merge_mcp_toml(const std::string& text, McpEntry entry);

}  // namespace oriel
