#pragma once
// Parses a text/event-stream as browsers do (WHATWG HTML, "Interpreting an event stream"). Pure;
// bytes may be split anywhere.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace oriel {

struct SseEvent {
  std::string id;     // last id seen so far; may be older than this event
  std::string event;  // "message" if the stream names none
  std::string data;
};

class SseParser {
 public:
  // Calls `on_event` for each complete event, in order. LF, CR and CRLF end lines.
  void feed(std::string_view bytes, const std::function<void(const SseEvent&)>& on_event);

  // The id to resume after: of the last complete block.
  const std::string& last_id() const { return last_id_; }

  // Bytes of the incomplete block.
  std::size_t held() const { return line_.size() + data_.size(); }

  int retry_ms() const { return retry_ms_; }  // 0 until the stream names one

 private:
  void take_line(std::string_view line, const std::function<void(const SseEvent&)>& on_event);
  void take_field(std::string_view name, std::string_view value);
  void end_block(const std::function<void(const SseEvent&)>& on_event);

  std::string line_;  // incomplete
  bool after_cr_ = false;
  bool is_first_line_ = true;
  std::string next_id_;  // becomes last_id_ at the end of the block
  std::string last_id_;
  std::string event_;
  std::string data_;
  bool has_data_ = false;
  int retry_ms_ = 0;
};

}  // namespace oriel
