#pragma once
// Which files of a workspace its own git repository tracks.

#include "base/error.h"

#include <filesystem>

namespace oriel {

// Copies the index of the repository or worktree in this directory; without one there is no copy
// afterwards. The repository's other files are not read. Blocks. Error: workspace_failed.
Result<void> copy_index(const std::filesystem::path& directory, const std::filesystem::path& copy);

}  // namespace oriel
