#pragma once
// Checks of `oriel doctor` on what the server needs. They change nothing.

#include "cli/commands/finding.h"
#include "server/serve_options.h"

#include <filesystem>
#include <optional>

namespace oriel {

// Whether the address is free, or Oriel already listens there.
Finding check_listen(const ServeOptions& options);

// Whether the server may listen on its address: beyond loopback it needs a token.
Finding check_tokens(const ServeOptions& options);

// Whether it can be written or created, and has free space.
Finding check_data_dir(const std::filesystem::path& directory);

// Whether agents could change the configuration: it lies in a project's workspace. None without a
// configuration.
std::optional<Finding> check_config(const ServeOptions& options);

}  // namespace oriel
