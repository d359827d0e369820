#pragma once
// Finds transcripts in directories.

#include "base/time.h"
#include "transcript/transcript_roots.h"

#include <cstdint>
#include <string>
#include <vector>

namespace oriel {

struct FoundTranscript {
  std::string path;
  std::uint64_t size = 0;
  std::uint64_t inode = 0;
  WallTime modified_at;

  bool operator==(const FoundTranscript&) const = default;
};

struct FoundTranscripts {
  std::vector<FoundTranscript> files;   // the newest first, each once
  std::vector<std::string> unreadable;  // directories
  bool is_cut = false;                  // gave up after kMaxEntries directory entries

  static constexpr std::size_t kMaxEntries = 500'000;
  static constexpr int kMaxDepth = 16;
};

// Regular files whose names end in .jsonl, in these directories and below. A path may also be a
// file. Follows no symbolic links, except the paths themselves. Blocks.
FoundTranscripts find_transcripts(const std::vector<std::string>& paths);

}  // namespace oriel
