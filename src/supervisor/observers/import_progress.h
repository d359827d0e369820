#pragma once
// The request and the progress of an import. Values.

#include "base/import_state.h"
#include "base/time.h"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct ImportRequest {
  std::vector<std::string> folders;   // or files; empty: all roots
  std::optional<std::uint64_t> days;  // maximum age of files; none: as configured

  bool operator==(const ImportRequest&) const = default;
};

// A line that was skipped, or a whole file.
struct ImportSkip {
  std::string path;
  std::optional<std::uint64_t> offset;  // of the line; none: the file
  std::string why;

  bool operator==(const ImportSkip&) const = default;
};

struct ImportProgress {
  ImportState state = ImportState::kIdle;
  std::vector<std::string> folders;
  std::optional<WallTime> started_at;
  std::optional<WallTime> ended_at;
  std::uint64_t files_total = 0;  // without files_old
  std::uint64_t files_done = 0;   // read or not
  std::uint64_t bytes_total = 0;
  std::uint64_t bytes_done = 0;
  std::uint64_t files_unchanged = 0;  // since the last import
  std::uint64_t files_watched = 0;    // of agents that are observed live or hosted
  std::uint64_t files_empty = 0;      // without a turn: of sub-agents, summaries
  std::uint64_t files_failed = 0;
  std::uint64_t files_left = 0;  // not read: too many sessions
  std::uint64_t files_old = 0;   // not read, not in the total
  std::uint64_t sessions = 0;    // new, or with new turns
  std::uint64_t turns = 0;       // new
  std::uint64_t lines_skipped = 0;
  std::vector<ImportSkip> skipped;  // the first kMaxSkipped
  std::string error;                // of kFailed

  static constexpr std::size_t kMaxSkipped = 100;

  void skip(ImportSkip skip);
};

boost::json::object to_json(const ImportProgress& progress);

}  // namespace oriel
