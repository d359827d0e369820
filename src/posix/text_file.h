#pragma once
// Small files of other programs, which Oriel changes with care.

#include "base/error.h"

#include <filesystem>
#include <string>

namespace oriel {

// The file that a name leads to in the end, whether it is there or not.
std::filesystem::path file_behind(std::filesystem::path name);

// The whole text; empty when there is no such file.
Result<std::string> read_text_file(const std::filesystem::path& file);

// Where change_text_file() keeps what was there before.
std::filesystem::path backup_of(const std::filesystem::path& file);

// Whole or not at all, with the permissions and owner that the file had, and what it was beside it
// as backup_of(file). A new one, and the directories that lack, are for their owner alone.
Result<void> change_text_file(const std::filesystem::path& file, const std::string& text);

}  // namespace oriel
