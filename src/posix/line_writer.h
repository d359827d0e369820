#pragma once
// Lines to a pipe, in order and bounded.

#include "runtime/condition.h"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <string>
#include <string_view>

namespace oriel {

// Lives on one shard, beside the pipe it writes to. What is sent waits in memory until run() has
// written it.
class LineWriter {
 public:
  LineWriter(asio::posix::stream_descriptor& pipe, std::size_t max_unsent_bytes);

  // False when more than the limit would wait: the reader does not read. Nothing is sent then.
  [[nodiscard]] bool send(std::string_view line);

  // Closes the pipe once everything is written; nothing can be sent from now on.
  void finish();

  // Writes until the pipe is closed, by finish() or by its reader.
  asio::awaitable<void> run();

 private:
  asio::posix::stream_descriptor& pipe_;
  std::size_t max_unsent_bytes_;
  std::string unsent_;
  std::size_t writing_bytes_ = 0;
  bool is_finishing_ = false;
  Condition changed_;  // one of the above
};

}  // namespace oriel
