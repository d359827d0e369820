#pragma once
// Completes the path of a directory on this machine, for people who choose where an agent works.

#include "supervisor/files/workspace_paths.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace oriel {

// With the home directory instead of a leading "~". Unchanged if no home is known.
std::string with_home(std::string_view typed, const std::filesystem::path& home);

// Directories whose path begins with the absolute path that is typed, in alphabetical order, each
// with a '/' at its end. Ignores the case of ASCII letters in the last name. Hidden ones only if a
// '.' is typed, and no names that no page can show. Empty if nothing fits or the path is relative.
// Blocks.
FoundPaths find_directories(const std::string& typed, std::size_t most, PathLimits limits = {});

}  // namespace oriel
