#pragma once
// Standard output and error of `oriel watch`.

#include "cli/render/event_line.h"
#include "runtime/asio.h"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <string>

namespace oriel {

// While it lives, SIGINT and SIGTERM end the process with 0 at once: every line is whole and
// nothing is held back. So does a reader of a standard output that is a pipe, when it goes away.
class WatchTerminal {
 public:
  WatchTerminal(asio::any_io_executor executor, bool wants_json, bool wants_color);

  // Shows the event on a line of its own; false when nobody reads any more.
  bool show(const SseEvent& event);

  // A line on standard error; nobody reading it does not matter.
  void notice(const std::string& text) const;

 private:
  void watch_reader();
  LineStyle style() const;

  bool is_json_;
  bool is_colored_;
  bool is_error_colored_;
  asio::posix::stream_descriptor output_;  // open only when it is a pipe
};

}  // namespace oriel
