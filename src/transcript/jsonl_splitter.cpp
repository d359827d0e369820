#include "transcript/jsonl_splitter.h"

#include <utility>

namespace oriel {

std::vector<JsonlLine> JsonlSplitter::push(std::string_view bytes) {
  std::vector<JsonlLine> lines;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const bool is_complete = end != std::string_view::npos;
    const std::string_view part = bytes.substr(0, end);
    bytes.remove_prefix(part.size() + (is_complete ? 1 : 0));
    read_ += part.size() + (is_complete ? 1 : 0);
    if (rest_.size() + part.size() > max_line_) {
      is_skipping_ = true;
      std::string().swap(rest_);
    }
    if (!is_skipping_) rest_ += part;
    if (!is_complete) break;
    JsonlLine line{.offset = taken_, .text = std::exchange(rest_, {}), .is_too_long = is_skipping_};
    if (line.text.ends_with('\r')) line.text.pop_back();
    if (line.is_too_long || !line.text.empty()) lines.push_back(std::move(line));
    taken_ = read_;
    is_skipping_ = false;
  }
  return lines;
}

}  // namespace oriel
