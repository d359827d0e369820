#pragma once
// A client's end of a connection, blocking and with deadlines. What it reads beyond the question
// waits for the next.

#include "deadline.h"

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace oriel {

// What was asked for did not come in time.
struct TimedOut : std::runtime_error {
  using runtime_error::runtime_error;
};

// The peer closed the connection, or reset it.
struct Closed : std::runtime_error {
  using runtime_error::runtime_error;
};

class Connection {
 public:
  virtual ~Connection() = default;

  // Throws Closed, or TimedOut if the peer does not take the bytes.
  virtual void send(std::string_view bytes) = 0;

  // Up to and including the delimiter. Throws Closed or TimedOut; what came stays for the next
  // read.
  std::string read_until(std::string_view delimiter, Milliseconds within = kPatience);
  std::string read_exactly(std::size_t count, Milliseconds within = kPatience);

  // Everything until the peer closes.
  std::string read_to_end(Milliseconds within = kPatience);

  // True if the peer neither sends anything nor closes for that long.
  bool is_silent_for(Milliseconds time);

 protected:
  // Some bytes; empty at the end; none if nothing comes in time.
  virtual std::optional<std::string> read_some(const Deadline& deadline) = 0;

 private:
  void read_more(const Deadline& deadline);
  std::string take(std::size_t count);

  std::string buffer_;
};

}  // namespace oriel
