#pragma once
// The directory of the journal, tokens, uploads and workspaces.

#include "base/error.h"

#include <filesystem>

namespace oriel {

// Creates the directory if it is missing. A new or empty one, and one that Oriel used before, is
// closed to other users (0700); of another one that is open to them, a warning is logged.
Result<void> prepare_data_dir(const std::filesystem::path& dir);

}  // namespace oriel
