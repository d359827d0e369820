#pragma once
// Bytes to lines, whatever the pieces they come in. Pure.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

struct Line {
  std::string text;      // without its newline, in any encoding; empty when too long
  std::size_t size = 0;  // in bytes, as it was written
  bool is_too_long = false;

  bool operator==(const Line&) const = default;
};

// Holds at most one unfinished line, and of that at most the limit: a longer one is skipped to its
// end and told once, with its size. What a huge line took is given back with it.
class LineSplitter {
 public:
  explicit LineSplitter(std::size_t max_line_bytes) : max_line_bytes_(max_line_bytes) {}

  // The lines that these bytes complete.
  std::vector<Line> take(std::string_view bytes);

  // At the end: what came after the last newline, if anything did.
  std::optional<Line> finish();

 private:
  void append(std::string_view piece);
  Line release();

  std::size_t max_line_bytes_;
  std::string text_;
  std::size_t size_ = 0;
};

}  // namespace oriel
