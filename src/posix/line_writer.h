#pragma once
// Writes lines to a pipe, in order and bounded.

#include "runtime/condition.h"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <string>
#include <string_view>

namespace oriel {

// Lives on the shard of the pipe. Lines are buffered until run() writes them.
class LineWriter {
 public:
  LineWriter(asio::posix::stream_descriptor& pipe, std::size_t max_unsent_bytes);

  // Returns false, and sends nothing, if the buffer would exceed the limit: the reader is too slow.
  [[nodiscard]] bool send(std::string_view line);

  // Closes the pipe once everything is written. No send() afterwards.
  void finish();

  // Writes until the pipe is closed, by finish() or by its reader.
  asio::awaitable<void> run();

 private:
  asio::posix::stream_descriptor& pipe_;
  std::size_t max_unsent_bytes_;
  std::string unsent_;
  std::size_t writing_bytes_ = 0;
  bool is_finishing_ = false;
  Condition changed_;  // any of the above
};

}  // namespace oriel
