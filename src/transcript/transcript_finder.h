#pragma once
// Which transcripts there are below some directories.

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
  bool is_cut = false;                  // there are more than kMaxLooks entries: some are not seen

  static constexpr std::size_t kMaxLooks = 500'000;
  static constexpr int kMaxDepth = 16;
};

// Regular files whose names end in .jsonl, in these directories and all below; a file is one, too.
// No symbolic link is followed. Blocks.
FoundTranscripts find_transcripts(const std::vector<std::string>& paths);

}  // namespace oriel
