#pragma once
// Standard output and error of `oriel watch`.

#include "cli/commands/watch.h"
#include "cli/render/watch_view.h"
#include "runtime/asio.h"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <string>

namespace oriel {

// While it lives, SIGINT and SIGTERM exit with 0 at once: lines are written whole and unbuffered.
// So does the end of the reader if standard output is a pipe.
class WatchTerminal {
 public:
  WatchTerminal(asio::any_io_executor executor, const WatchOptions& options);

  // False if the reader has gone.
  bool show(const SseEvent& event);

  // Writes a line to standard error, ignoring failures.
  void notice(const std::string& text) const;

 private:
  void watch_reader();
  std::string lines_of(const SseEvent& event);
  LineStyle style() const;

  bool is_json_;
  bool is_raw_;
  bool is_colored_;
  bool is_error_colored_;
  WatchView view_;
  asio::posix::stream_descriptor output_;  // open only if it is a pipe
};

}  // namespace oriel
