#pragma once
// A program at a terminal of its own, with a person at the keyboard.

#include "deadline.h"

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

class TerminalProcess {
 public:
  // The program's path, then its arguments; it starts in `directory`, which is its HOME too.
  TerminalProcess(std::vector<std::string> words, const std::filesystem::path& directory);
  ~TerminalProcess();  // kills it
  TerminalProcess(const TerminalProcess&) = delete;
  TerminalProcess& operator=(const TerminalProcess&) = delete;

  // Until the screen has got this text since the last call; false if it does not in time.
  bool shows(std::string_view text, Milliseconds within = kPatience);

  // "y\n", or "\x03" for Ctrl-C.
  void type(std::string_view keys) const;

  // Its exit code, or 128 + the signal that ended it; none if it still runs after that time.
  std::optional<int> wait_exit(Milliseconds within = kPatience);

  // All that came to the screen, escape sequences and all.
  const std::string& screen() const { return screen_; }

 private:
  // False at the end of the output, and when nothing came in time.
  bool read_more(const Deadline& deadline);

  pid_t pid_ = -1;
  int terminal_ = -1;
  std::string screen_;
  std::size_t seen_ = 0;  // of the screen, by shows()
  std::optional<int> exit_code_;
};

}  // namespace oriel
