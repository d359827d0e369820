#include "cli/commands/watch_terminal.h"

#include "cli/render/terminal.h"

#include <sys/stat.h>

#include <csignal>
#include <ctime>
#include <system_error>
#include <unistd.h>

namespace oriel {
namespace {

bool is_pipe(int fd) {
  struct stat status {};

  return ::fstat(fd, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
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

WatchTerminal::WatchTerminal(asio::any_io_executor executor, const WatchOptions& options)
    : is_json_(options.is_json || (!options.is_raw && !is_terminal(STDOUT_FILENO))),
      is_raw_(options.is_raw),
      is_colored_(options.is_colored && may_color(STDOUT_FILENO)),
      is_error_colored_(options.is_colored && may_color(STDERR_FILENO)),
      output_(executor) {
  std::signal(SIGINT, end_quietly);
  std::signal(SIGTERM, end_quietly);
  std::signal(SIGPIPE, SIG_IGN);
  if (is_pipe(STDOUT_FILENO)) watch_reader();
}

// Without this, `oriel watch | head -1` would exit only at the next event.
void WatchTerminal::watch_reader() {
  output_.assign(::dup(STDOUT_FILENO));
  output_.async_wait(asio::posix::stream_descriptor::wait_error, [](error_code ec) {
    if (!ec) ::_exit(0);
  });
}

LineStyle WatchTerminal::style() const {
  return {.is_colored = is_colored_, .width = terminal_width(), .utc_offset = local_utc_offset()};
}

std::string WatchTerminal::lines_of(const SseEvent& event) {
  if (is_json_) return json_line(event) + "\n";
  if (event.event == "gap") return paint(is_colored_, "1;33", gap_notice(event)) + "\n";
  return is_raw_ ? text_line(event, style()) + "\n" : view_.take(event, style());
}

bool WatchTerminal::show(const SseEvent& event) {
  if (is_json_ && event.event == "gap") notice(gap_notice(event));
  try {
    write_all(STDOUT_FILENO, lines_of(event));
  } catch (const std::system_error& problem) {
    if (problem.code() == std::errc::broken_pipe) return false;
    throw;
  }
  return true;
}

void WatchTerminal::notice(const std::string& text) const {
  try {
    write_all(STDERR_FILENO, paint(is_error_colored_, "2", "oriel: " + text) + "\n");
  } catch (const std::system_error&) {
    return;
  }
}

}  // namespace oriel
