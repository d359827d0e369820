#pragma once
// How an agent is told of files: in words that every agent understands.

#include "base/turn.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// What a person is shown to have said who sent files without a word: "Files: a.png, b.txt".
std::string text_of_files(const std::vector<TurnFile>& files);

// The name of a file in its session's directory.
std::string stored_name(const TurnFile& file);

// The text, and behind it where the files lie; `directory` is as the agent sees it.
std::string prompt_with_files(std::string_view text, const std::vector<TurnFile>& files,
                              const std::filesystem::path& directory);

}  // namespace oriel
