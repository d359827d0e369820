#include "app/watch_terminal.h"

#include <sys/ioctl.h>
#include <sys/stat.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <system_error>
#include <unistd.h>

namespace oriel {
namespace {

constexpr std::size_t kLeastWidth = 40;  // narrower terminals wrap: cut lines would say nothing

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw std::system_error(errno, std::generic_category(), "cannot write");
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

bool is_pipe(int fd) {
  struct stat status {};

  return ::fstat(fd, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

bool may_color(int fd) {
  const char* const no_color = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  const bool is_unwanted = no_color != nullptr && *no_color != '\0';
  const bool is_dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return ::isatty(fd) == 1 && !is_unwanted && !is_dumb;
}

std::size_t terminal_width() {
  winsize size{};
  const bool is_known =
      ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= kLeastWidth;
  return is_known ? size.ws_col : kAnyWidth;
}

std::chrono::minutes local_utc_offset() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  if (::localtime_r(&now, &local) == nullptr) return std::chrono::minutes(0);
  return std::chrono::minutes(local.tm_gmtoff / 60);
}

extern "C" void end_quietly(int) {
  ::_exit(0);
}

}  // namespace

WatchTerminal::WatchTerminal(asio::any_io_executor executor, bool wants_json, bool wants_color)
    : is_json_(wants_json || ::isatty(STDOUT_FILENO) != 1),
      is_colored_(wants_color && may_color(STDOUT_FILENO)),
      is_error_colored_(wants_color && may_color(STDERR_FILENO)),
      output_(executor) {
  std::signal(SIGINT, end_quietly);
  std::signal(SIGTERM, end_quietly);
  std::signal(SIGPIPE, SIG_IGN);
  if (is_pipe(STDOUT_FILENO)) watch_reader();
}

// Without this, `oriel watch | head -1` would end only with the event after the last one.
void WatchTerminal::watch_reader() {
  output_.assign(::dup(STDOUT_FILENO));
  output_.async_wait(asio::posix::stream_descriptor::wait_error, [](error_code ec) {
    if (!ec) ::_exit(0);
  });
}

LineStyle WatchTerminal::style() const {
  return {.is_colored = is_colored_, .width = terminal_width(), .utc_offset = local_utc_offset()};
}

bool WatchTerminal::show(const SseEvent& event) {
  const bool is_gap = event.event == "gap";
  std::string line = is_json_ ? json_line(event) : text_line(event, style());
  if (is_gap && is_json_) notice(gap_notice(event));
  if (is_gap && !is_json_)
    line = (is_colored_ ? "\x1b[1;33m" : "") + gap_notice(event) + (is_colored_ ? "\x1b[0m" : "");
  try {
    write_all(STDOUT_FILENO, line + "\n");
  } catch (const std::system_error& problem) {
    if (problem.code() == std::errc::broken_pipe) return false;
    throw;
  }
  return true;
}

void WatchTerminal::notice(const std::string& text) const {
  const std::string line = "oriel: " + text;
  try {
    write_all(STDERR_FILENO, (is_error_colored_ ? "\x1b[2m" + line + "\x1b[0m" : line) + "\n");
  } catch (const std::system_error&) {
    return;
  }
}

}  // namespace oriel
