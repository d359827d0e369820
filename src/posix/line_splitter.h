#pragma once
// Splits a byte stream into lines, independent of how it is chunked. Pure.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

struct Line {
  std::string text;      // without newline, any encoding; empty if too long
  std::size_t size = 0;  // in bytes, as received
  bool is_too_long = false;

  bool operator==(const Line&) const = default;
};

// Buffers at most one unfinished line up to the limit; a longer line is skipped and reported once
// with its size. Releases the memory of huge lines.
class LineSplitter {
 public:
  explicit LineSplitter(std::size_t max_line_bytes) : max_line_bytes_(max_line_bytes) {}

  // Lines completed by these bytes.
  std::vector<Line> take(std::string_view bytes);

  // At the end of input: the bytes after the last newline, if any.
  std::optional<Line> finish();

 private:
  void append(std::string_view piece);
  Line release();

  std::size_t max_line_bytes_;
  std::string text_;
  std::size_t size_ = 0;
};

}  // namespace oriel
