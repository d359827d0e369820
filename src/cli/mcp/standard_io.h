#pragma once
// Standard input and output, whatever they are: pipe, socket, file or terminal. Their flags are
// shared with other processes, so they stay as they are.

#include "posix/file_descriptor.h"

#include <optional>
#include <string>
#include <string_view>

namespace oriel {

// read() and write() block until stop(); each has its own thread.
class StandardIo {
 public:
  StandardIo(int input, int output);

  // The next bytes; none at the end of the input or after stop().
  std::optional<std::string> read() const;

  // False when the reader has gone, or after stop().
  bool write(std::string_view bytes) const;

  // From any thread: ends blocking calls.
  void stop() const;

 private:
  bool wait(int fd, short events) const;

  int input_;
  int output_;
  FileDescriptor stop_;  // readable after stop()
};

}  // namespace oriel
