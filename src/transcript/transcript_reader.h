#pragma once
// Reads one transcript as it is now, from a position to its end, in bounded pieces. What is written
// meanwhile is not waited for. Blocks.

#include "base/error.h"
#include "transcript/transcript_lines.h"
#include "transcript/transcript_roots.h"

#include <cstdint>
#include <optional>
#include <string>

namespace oriel {

struct TranscriptPiece {
  ReadLines read;
  std::uint64_t bytes = 0;   // that were read for it
  std::uint64_t offset = 0;  // behind its last complete line
  bool is_last = false;
};

struct TranscriptReaderOptions {
  std::size_t piece_bytes = 1 << 20;  // of one piece, but for a longer line
  std::size_t max_line = kMaxTranscriptLine;
};

// Of a file that somebody else keeps open. Memory: one piece, or one line.
class TranscriptReader {
 public:
  // `size` is where it ends. `otherwise` is the format while no line shows it.
  TranscriptReader(int descriptor, std::uint64_t offset, std::uint64_t size,
                   TranscriptFormat otherwise, TranscriptReaderOptions options = {});

  // The next complete lines; a piece without any is the last. Error: cannot_read.
  Result<TranscriptPiece> next();

 private:
  Result<std::string> read_some() const;

  int descriptor_;
  std::uint64_t size_;
  TranscriptFormat otherwise_;
  TranscriptReaderOptions options_;
  std::optional<TranscriptFormat> format_;
  JsonlSplitter splitter_;
};

}  // namespace oriel
