#pragma once
// What is known of the snapshots of a session, in a file beside their repository.

#include "base/error.h"
#include "base/time.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct LeftOut {
  std::vector<std::string> paths;  // the first ones
  std::uint64_t count = 0;         // of all

  bool operator==(const LeftOut&) const = default;
};

// At most this many of its paths are kept.
constexpr std::size_t kMaxLeftOutPaths = 100;

struct SnapshotRecord {
  std::string problem = {};  // why there is no snapshot of the start; empty: there is one
  bool is_empty = false;     // the workspace was empty then, so it needs no snapshot
  LeftOut start_left_out = {};
  std::string now = {};  // the last commit; empty: none yet
  std::optional<WallTime> now_time = {};
  LeftOut now_left_out = {};

  bool operator==(const SnapshotRecord&) const = default;
};

// Blocks. None: there is no such file. Error: bad_document.
Result<std::optional<SnapshotRecord>> read_snapshot_record(const std::filesystem::path& file);

// Readers see it whole. Blocks. Error: workspace_failed.
Result<void> write_snapshot_record(const std::filesystem::path& file, const SnapshotRecord& record);

}  // namespace oriel
