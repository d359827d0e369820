#pragma once
// The checks of `oriel doctor` on what the server needs. They look and leave everything as it is.

#include "cli/commands/finding.h"
#include "server/serve_options.h"

#include <filesystem>

namespace oriel {

// Is the address free, or is an Oriel there already?
Finding check_listen(const ServeOptions& options);

// May the server listen there: beyond loopback it needs a token.
Finding check_tokens(const ServeOptions& options);

// Can it be written, or be made; is there room?
Finding check_data_dir(const std::filesystem::path& directory);

}  // namespace oriel
