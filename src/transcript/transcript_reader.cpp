#include "transcript/transcript_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unistd.h>
#include <utility>

namespace oriel {

bool is_line_end(int descriptor, std::uint64_t offset) {
  char last = 0;
  return offset == 0 ||
         (pread(descriptor, &last, 1, static_cast<off_t>(offset - 1)) == 1 && last == '\n');
}

TranscriptReader::TranscriptReader(int descriptor, std::uint64_t offset, std::uint64_t size,
                                   TranscriptFormat fallback, TranscriptReaderOptions options)
    : descriptor_(descriptor),
      size_(size),
      fallback_(fallback),
      options_(options),
      splitter_(offset, options.max_line) {}

Result<TranscriptPiece> TranscriptReader::next() {
  TranscriptPiece piece;
  std::vector<JsonlLine> lines;
  while (lines.empty() && !piece.is_last) {
    const Result<std::string> bytes = read_some();
    if (!bytes) return bytes.error();
    piece.bytes += bytes->size();
    lines = splitter_.push(*bytes);
    piece.is_last = bytes->empty() || splitter_.read_offset() >= size_;
  }
  piece.read = read_lines(lines, format_, fallback_);
  format_ = piece.read.format;
  piece.offset = splitter_.taken_offset();
  return piece;
}

Result<std::string> TranscriptReader::read_some() const {
  const std::uint64_t offset = splitter_.read_offset();
  const std::uint64_t left = size_ > offset ? size_ - offset : 0;
  std::string bytes(std::min<std::uint64_t>(left, options_.piece_bytes), '\0');
  ssize_t count = 0;
  do {
    count = pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
  } while (count < 0 && errno == EINTR);
  if (count < 0)
    return Error{.kind = ErrorKind::kCannotRead,
                 .message = std::string("cannot read the transcript: ") + std::strerror(errno),
                 .hint = "check the disk and the file system"};
  bytes.resize(static_cast<std::size_t>(count));
  return {boost::system::in_place_value, std::move(bytes)};
}

}  // namespace oriel
