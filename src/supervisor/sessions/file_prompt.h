#pragma once
// Adds the paths of files to a prompt, as plain text.

#include "base/event/turn.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// The shown text of a message that has files only: "Files: a.png, b.txt".
std::string text_of_files(const std::vector<TurnFile>& files);

// The name of the file in its session's directory.
std::string stored_name(const TurnFile& file);

// The text and then the paths of the files, in `directory` as the agent sees it.
std::string prompt_with_files(std::string_view text, const std::vector<TurnFile>& files,
                              const std::filesystem::path& directory);

}  // namespace oriel
