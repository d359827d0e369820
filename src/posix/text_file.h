#pragma once
// Edits small files of other programs.

#include "base/error.h"

#include <filesystem>
#include <string>

namespace oriel {

// Follows symbolic links, also to a file that does not exist.
std::filesystem::path file_behind(std::filesystem::path name);

// The whole text; empty if there is no such file.
Result<std::string> read_text_file(const std::filesystem::path& file);

// The previous version, kept by change_text_file().
std::filesystem::path backup_of(const std::filesystem::path& file);

// Replaces the file atomically; keeps its mode and owner, and the previous version as
// backup_of(file). A new file and missing directories are created for their owner only.
Result<void> change_text_file(const std::filesystem::path& file, const std::string& text);

}  // namespace oriel
