#include "posix/line_splitter.h"

#include <utility>

namespace oriel {

std::vector<Line> LineSplitter::take(std::string_view bytes) {
  std::vector<Line> lines;
  for (;;) {
    const std::size_t end = bytes.find('\n');
    append(bytes.substr(0, end));
    if (end == bytes.npos) return lines;
    lines.push_back(release());
    bytes.remove_prefix(end + 1);
  }
}

std::optional<Line> LineSplitter::finish() {
  if (size_ == 0) return std::nullopt;
  return release();
}

void LineSplitter::append(std::string_view piece) {
  size_ += piece.size();
  if (size_ <= max_line_bytes_) {
    text_ += piece;
  } else {
    text_ = std::string();  // clear() would keep the memory
  }
}

Line LineSplitter::release() {
  Line line{
      .text = std::exchange(text_, {}), .size = size_, .is_too_long = size_ > max_line_bytes_};
  size_ = 0;
  return line;
}

}  // namespace oriel
