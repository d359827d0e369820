#pragma once
// How far a transcript was read.

#include <cstdint>
#include <string>

namespace oriel {

struct TranscriptPosition {
  std::string path;          // empty: no transcript is known
  std::uint64_t inode = 0;   // of the file that the offset is of; 0: none was opened yet
  std::uint64_t offset = 0;  // behind the last complete line that was taken

  bool operator==(const TranscriptPosition&) const = default;
};

}  // namespace oriel
