#pragma once
// The files that differ between two states of a workspace, as values.

#include "base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

enum class ChangeKind { kAdded, kModified, kDeleted, kRenamed };

std::string_view name_of(ChangeKind kind);  // "added", "modified", "deleted", "renamed"

struct LineCounts {
  std::uint64_t added = 0;
  std::uint64_t removed = 0;

  bool operator==(const LineCounts&) const = default;
};

struct FileChange {
  std::string path;
  std::string old_path = {};  // of a renamed file; else empty
  ChangeKind kind = ChangeKind::kModified;
  std::optional<LineCounts> lines = {};  // none: it is binary

  bool operator==(const FileChange&) const = default;
};

// Parses the output of git diff-tree -r -z --raw --numstat, ordered by path. Error: bad_document.
Result<std::vector<FileChange>> parse_diff_tree(std::string_view output);

}  // namespace oriel
