#include "client/sse_parser.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace oriel {

void SseParser::feed(std::string_view bytes, const std::function<void(const SseEvent&)>& on_event) {
  while (!bytes.empty()) {
    if (std::exchange(after_cr_, false) && bytes.front() == '\n') {  // the second half of a CRLF
      bytes.remove_prefix(1);
      continue;
    }
    const std::size_t end = bytes.find_first_of("\r\n");
    if (end == std::string_view::npos) {
      line_ += bytes;
      return;
    }
    after_cr_ = bytes[end] == '\r';
    if (line_.empty()) {
      take_line(bytes.substr(0, end), on_event);
    } else {
      line_ += bytes.substr(0, end);
      take_line(line_, on_event);
      line_.clear();
    }
    bytes.remove_prefix(end + 1);
  }
}

void SseParser::take_line(std::string_view line,
                          const std::function<void(const SseEvent&)>& on_event) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (std::exchange(is_first_line_, false) && line.starts_with(kByteOrderMark)) {
    line.remove_prefix(kByteOrderMark.size());
  }
  if (line.empty()) return end_block(on_event);
  const std::size_t colon = line.find(':');
  std::string_view value = colon == std::string_view::npos ? "" : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  take_field(line.substr(0, colon), value);
}

void SseParser::take_field(std::string_view name, std::string_view value) {
  if (name == "data") {
    if (has_data_) data_ += '\n';
    data_ += value;
    has_data_ = true;
  } else if (name == "event") {
    event_ = value;
  } else if (name == "id") {
    if (value.find('\0') == std::string_view::npos) next_id_ = value;
  } else if (name == "retry") {
    const char* const end = value.data() + value.size();
    int milliseconds = 0;
    const auto [after, error] = std::from_chars(value.data(), end, milliseconds);
    const bool is_digits = !value.empty() && value.front() != '-' && after == end;
    if (is_digits && error == std::errc{}) retry_ms_ = milliseconds;
  }
}

void SseParser::end_block(const std::function<void(const SseEvent&)>& on_event) {
  last_id_ = next_id_;
  SseEvent event{.id = last_id_,
                 .event = event_.empty() ? "message" : std::exchange(event_, {}),
                 .data = std::exchange(data_, {})};
  if (std::exchange(has_data_, false)) on_event(event);
}

}  // namespace oriel
