#pragma once
// Splits a growing file into its complete lines. Pure.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

constexpr std::size_t kMaxTranscriptLine = 64 << 20;

struct JsonlLine {
  std::uint64_t offset = 0;  // of its first byte in the file
  std::string text;          // without the line break, "\n" or "\r\n"
  bool is_too_long = false;  // skipped: the text is empty

  bool operator==(const JsonlLine&) const = default;
};

// Keeps an incomplete line until its end arrives. Leaves out empty lines.
class JsonlSplitter {
 public:
  explicit JsonlSplitter(std::uint64_t offset = 0, std::size_t max_line = kMaxTranscriptLine)
      : max_line_(max_line), read_(offset), taken_(offset) {}

  // Returns the lines that these bytes complete.
  std::vector<JsonlLine> push(std::string_view bytes);

  // Offset of the next bytes to push.
  std::uint64_t read_offset() const { return read_; }

  // Offset behind the last complete line, where reading resumes after a restart.
  std::uint64_t taken_offset() const { return taken_; }

 private:
  std::size_t max_line_;
  std::uint64_t read_;
  std::uint64_t taken_;
  std::string rest_;          // the beginning of the incomplete line
  bool is_skipping_ = false;  // the incomplete line is too long
};

}  // namespace oriel
