#include "posix/line_writer.h"

#include "base/failpoint.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include <utility>

namespace oriel {

LineWriter::LineWriter(asio::posix::stream_descriptor& pipe, std::size_t max_unsent_bytes)
    : pipe_(pipe), max_unsent_bytes_(max_unsent_bytes), changed_(pipe.get_executor()) {}

bool LineWriter::send(std::string_view line) {
  if (is_finishing_) return true;
  if (unsent_.size() + writing_bytes_ + line.size() + 1 > max_unsent_bytes_) return false;
  unsent_.append(line).append("\n");
  changed_.notify();
  return true;
}

void LineWriter::finish() {
  is_finishing_ = true;
  changed_.notify();
}

asio::awaitable<void> LineWriter::run() {
  error_code failure;
  while (!failure && !(is_finishing_ && unsent_.empty())) {
    if (unsent_.empty()) {
      co_await changed_.wait();
      continue;
    }
    const std::string batch = std::exchange(unsent_, {});
    writing_bytes_ = batch.size();
    ORIEL_FAILPOINT(kInputBefore);
    const auto [ec, written] = co_await asio::async_write(pipe_, asio::buffer(batch), kNoThrow);
    ORIEL_FAILPOINT(kInputAfter);
    writing_bytes_ = 0;
    failure = ec;
  }
  is_finishing_ = true;
  unsent_ = std::string();
  error_code ignored;
  pipe_.close(ignored);
}

}  // namespace oriel
