#pragma once
// Standard output and error of `oriel watch`.

#include "cli/render/event_line.h"
#include "runtime/asio.h"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <string>

namespace oriel {

// While it lives, SIGINT and SIGTERM exit with 0 at once: lines are written whole and unbuffered.
// So does the end of the reader if standard output is a pipe.
class WatchTerminal {
 public:
  WatchTerminal(asio::any_io_executor executor, bool wants_json, bool wants_color);

  // Shows the event on its own line; false if the reader has gone.
  bool show(const SseEvent& event);

  // Writes a line to standard error, ignoring failures.
  void notice(const std::string& text) const;

 private:
  void watch_reader();
  LineStyle style() const;

  bool is_json_;
  bool is_colored_;
  bool is_error_colored_;
  asio::posix::stream_descriptor output_;  // open only if it is a pipe
};

}  // namespace oriel
