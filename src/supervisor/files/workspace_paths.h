#pragma once
// Finds files and directories of a workspace by a part of their path, for people who name one in a
// message. Follows no link and never leaves the workspace.

#include "base/error.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

struct FoundPaths {
  std::vector<std::string> paths;  // relative, best first; a directory ends with '/'
  bool is_complete = true;         // whether the whole workspace was searched and nothing was cut

  friend bool operator==(const FoundPaths&, const FoundPaths&) = default;
};

struct PathLimits {
  std::size_t entries = 20'000;  // that are looked at
  std::chrono::milliseconds time{300};
};

// Whether a message can show the name: UTF-8 without control characters. Pure.
bool is_nameable(std::string_view name);

// How well a path fits what is typed: 0 is best. None: it does not fit. Ignores the case of ASCII
// letters. Pure.
std::optional<int> rank_of_path(std::string_view path, std::string_view typed);

// At most `most` paths; without text those closest to the top. Leaves out what version control and
// package managers keep, links, and names that no message can show. Error: workspace_failed, if the
// directory cannot be opened. Blocks.
Result<FoundPaths> find_paths(const std::filesystem::path& workspace, std::string_view typed,
                              std::size_t most, PathLimits limits = {});

}  // namespace oriel
