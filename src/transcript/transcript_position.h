#pragma once
// How far a transcript has been read.

#include <cstdint>
#include <string>

namespace oriel {

struct TranscriptPosition {
  std::string path;          // empty: unknown
  std::uint64_t inode = 0;   // of the file with this offset; 0: no file was opened yet
  std::uint64_t offset = 0;  // behind the last complete line that was read

  bool operator==(const TranscriptPosition&) const = default;
};

}  // namespace oriel
