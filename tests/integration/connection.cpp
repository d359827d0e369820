#include "connection.h"

#include <utility>

namespace oriel {

std::string Connection::read_until(std::string_view delimiter, Milliseconds within) {
  const Deadline deadline(within);
  std::size_t searched = 0;
  while (true) {
    const std::size_t found = buffer_.find(delimiter, searched);
    if (found != std::string::npos) return take(found + delimiter.size());
    searched = buffer_.size() < delimiter.size() ? 0 : buffer_.size() - delimiter.size() + 1;
    read_more(deadline);
  }
}

std::string Connection::read_exactly(std::size_t count, Milliseconds within) {
  const Deadline deadline(within);
  while (buffer_.size() < count)
    read_more(deadline);
  return take(count);
}

std::string Connection::read_to_end(Milliseconds within) {
  const Deadline deadline(within);
  try {
    while (true)
      read_more(deadline);
  } catch (const Closed&) {
    return std::exchange(buffer_, {});
  }
}

bool Connection::is_silent_for(Milliseconds time) {
  if (!buffer_.empty()) return false;
  const std::optional<std::string> bytes = read_some(Deadline(time));
  if (bytes) buffer_ += *bytes;
  return !bytes;
}

void Connection::read_more(const Deadline& deadline) {
  const std::optional<std::string> bytes = read_some(deadline);
  if (!bytes) throw TimedOut("nothing more came in time after: " + buffer_.substr(0, 200));
  if (bytes->empty()) throw Closed("the peer closed after: " + buffer_.substr(0, 200));
  buffer_ += *bytes;
}

std::string Connection::take(std::size_t count) {
  std::string taken = buffer_.substr(0, count);
  buffer_.erase(0, count);
  return taken;
}

}  // namespace oriel
