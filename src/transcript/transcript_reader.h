#pragma once
// Reads a transcript from an offset to its end, in bounded pieces. Does not wait for lines that are
// written meanwhile. Blocks.

#include "base/error.h"
#include "transcript/transcript_lines.h"
#include "transcript/transcript_roots.h"

#include <cstdint>
#include <optional>
#include <string>

namespace oriel {

// Whether a line ends before the offset, as it does at the beginning of the file. If not, the file
// was rewritten since the offset was noted.
bool is_line_end(int descriptor, std::uint64_t offset);

struct TranscriptPiece {
  ReadLines read;
  std::uint64_t bytes = 0;   // read
  std::uint64_t offset = 0;  // in the file, behind the last complete line
  bool is_last = false;
};

struct TranscriptReaderOptions {
  std::size_t piece_bytes = 1 << 20;  // exceeded only by a longer line
  std::size_t max_line = kMaxTranscriptLine;
};

// Needs the memory of one piece, or one line. The caller keeps the descriptor open.
class TranscriptReader {
 public:
  // Reads up to `size`. `fallback` is the format until a line shows it.
  TranscriptReader(int descriptor, std::uint64_t offset, std::uint64_t size,
                   TranscriptFormat fallback, TranscriptReaderOptions options = {});

  // The next complete lines; a piece without lines is the last. Error: cannot_read.
  Result<TranscriptPiece> next();

 private:
  Result<std::string> read_some() const;

  int descriptor_;
  std::uint64_t size_;
  TranscriptFormat fallback_;
  TranscriptReaderOptions options_;
  std::optional<TranscriptFormat> format_;
  JsonlSplitter splitter_;
};

}  // namespace oriel
