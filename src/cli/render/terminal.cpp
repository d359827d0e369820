#include "cli/render/terminal.h"

#include <spdlog/fmt/fmt.h>
#include <sys/ioctl.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <unistd.h>

namespace oriel {
namespace {

constexpr std::size_t kLeastWidth = 40;  // narrower terminals wrap lines instead

}  // namespace

bool is_terminal(int fd) {
  return ::isatty(fd) == 1;
}

bool can_be_controlled(int fd) {
  const char* const terminal = std::getenv("TERM");
  const bool is_dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return is_terminal(fd) && !is_dumb;
}

bool may_color(int fd) {
  const char* const no_color = std::getenv("NO_COLOR");
  const bool is_unwanted = no_color != nullptr && *no_color != '\0';
  return can_be_controlled(fd) && !is_unwanted;
}

std::size_t terminal_width() {
  winsize size{};
  const bool is_known =
      ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= kLeastWidth;
  return is_known ? size.ws_col : kAnyWidth;
}

Screen standard_output(bool wants_color) {
  return {.is_terminal = is_terminal(STDOUT_FILENO),
          .is_colored = wants_color && may_color(STDOUT_FILENO),
          .width = terminal_width()};
}

std::string paint(bool is_colored, std::string_view color, std::string_view text) {
  if (!is_colored || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", color, text);
}

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw std::system_error(errno, std::generic_category(), "cannot write");
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace oriel
