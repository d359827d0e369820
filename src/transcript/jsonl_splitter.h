#pragma once
// Pieces of a growing file in, its complete lines out, each with its position. Pure.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

constexpr std::size_t kMaxTranscriptLine = 64 << 20;

struct JsonlLine {
  std::uint64_t offset = 0;  // of its first byte in the file
  std::string text;          // without its end; "\r\n" ends a line, too
  bool is_too_long = false;  // it is skipped: the text is empty

  bool operator==(const JsonlLine&) const = default;
};

// Of one file. A line without its end stays inside until the end comes: a half-written one is never
// seen. Empty lines are not told.
class JsonlSplitter {
 public:
  explicit JsonlSplitter(std::uint64_t offset = 0, std::size_t max_line = kMaxTranscriptLine)
      : max_line_(max_line), read_(offset), taken_(offset) {}

  // The lines that are complete with these bytes.
  std::vector<JsonlLine> push(std::string_view bytes);

  // Where the next bytes are to be read.
  std::uint64_t read_offset() const { return read_; }

  // Behind the last complete line: where to begin after a restart.
  std::uint64_t taken_offset() const { return taken_; }

 private:
  std::size_t max_line_;
  std::uint64_t read_;
  std::uint64_t taken_;
  std::string rest_;          // of the line that has no end yet
  bool is_skipping_ = false;  // that line is too long
};

}  // namespace oriel
