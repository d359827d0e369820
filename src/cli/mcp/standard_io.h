#pragma once
// Standard input and output of a program that somebody else started, whatever they are: pipe,
// socket, file or terminal. Their flags, which others share, stay as they are.

#include <optional>
#include <string>
#include <string_view>

namespace oriel {

// Reading and writing block, each on a thread of its own, until stop().
class StandardIo {
 public:
  StandardIo(int input, int output);
  ~StandardIo();
  StandardIo(const StandardIo&) = delete;
  StandardIo& operator=(const StandardIo&) = delete;

  // The next bytes; none at the end of the input or after stop().
  std::optional<std::string> read() const;

  // False when nobody reads any more, or after stop().
  bool write(std::string_view bytes) const;

  // From any thread: ends what blocks.
  void stop() const;

 private:
  bool wait(int fd, short events) const;

  int input_;
  int output_;
  int stop_;  // becomes readable
};

}  // namespace oriel
