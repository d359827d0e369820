#pragma once
// What is asked of an import, and what is told of it. Values.

#include "base/time.h"
#include "transcript/transcript_finder.h"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

struct ImportRequest {
  std::vector<std::string> folders;   // or files; none: all roots
  std::optional<std::uint64_t> days;  // files that were written to since; none: as configured

  bool operator==(const ImportRequest&) const = default;
};

enum class ImportState { kIdle, kRunning, kDone, kCancelled, kFailed };

std::string_view name_of(ImportState state);  // "idle", "running", "done", "cancelled", "failed"

// A line that was left out, or a whole file.
struct ImportSkip {
  std::string path;
  std::optional<std::uint64_t> offset;  // of the line; none: the file cannot be read
  std::string why;

  bool operator==(const ImportSkip&) const = default;
};

struct ImportProgress {
  ImportState state = ImportState::kIdle;
  std::vector<std::string> folders;
  std::optional<WallTime> started_at;
  std::optional<WallTime> ended_at;
  std::uint64_t files_total = 0;  // that are young enough
  std::uint64_t files_done = 0;   // whatever came of them
  std::uint64_t bytes_total = 0;
  std::uint64_t bytes_done = 0;
  std::uint64_t files_unchanged = 0;  // since the last import
  std::uint64_t files_watched = 0;    // left to those who tell of them: a watched agent, a session
  std::uint64_t files_empty = 0;      // without a word of a session: sub-agents', summaries
  std::uint64_t files_failed = 0;
  std::uint64_t files_left = 0;  // there was no room for more sessions
  std::uint64_t files_old = 0;   // not counted in the total
  std::uint64_t sessions = 0;    // new ones, and those with new turns
  std::uint64_t turns = 0;       // new
  std::uint64_t lines_skipped = 0;
  std::vector<ImportSkip> skipped;  // the first kMaxSkipped, lines and files
  std::string error;                // of kFailed

  static constexpr std::size_t kMaxSkipped = 100;

  void skip(ImportSkip skip);
};

// What an import would read.
struct ImportPlan {
  struct File {
    FoundTranscript found;
    bool is_unchanged = false;
  };

  std::vector<File> files;  // the newest first
  std::uint64_t files_old = 0;
  bool is_cut = false;  // there are more files than anybody looks at

  static constexpr std::size_t kMaxShown = 1000;
};

boost::json::object to_json(const ImportProgress& progress);
boost::json::object to_json(const ImportPlan& plan);  // the first kMaxShown files, and the totals

}  // namespace oriel
