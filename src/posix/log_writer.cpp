#include "posix/log_writer.h"

#include "base/log.h"

#include <spdlog/fmt/fmt.h>
#include <spdlog/pattern_formatter.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <poll.h>
#include <unistd.h>

namespace oriel {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPollFor{100};

std::string_view color_of(spdlog::level::level_enum level) {
  switch (level) {
    case spdlog::level::warn:
      return "\033[33m\033[1m";
    case spdlog::level::err:
    case spdlog::level::critical:
      return "\033[31m\033[1m";
    case spdlog::level::info:
      return "\033[32m";
    default:
      return "\033[36m";
  }
}

// The formatter has marked the part of the line to colour.
std::string colored(const spdlog::details::log_msg& message, std::string_view line) {
  const std::size_t begin = std::min(message.color_range_start, line.size());
  const std::size_t end = std::clamp(message.color_range_end, begin, line.size());
  return fmt::format("{}{}{}\033[m{}", line.substr(0, begin), color_of(message.level),
                     line.substr(begin, end - begin), line.substr(end));
}

}  // namespace

LogWriter::LogWriter(int descriptor, LogWriterLimits limits)
    : descriptor_(descriptor),
      is_colored_(::isatty(descriptor) != 0),
      limits_(limits),
      formatter_(std::make_unique<spdlog::pattern_formatter>()) {
  thread_ = std::thread([this] { run(); });
  pthread_setname_np(thread_.native_handle(), "log");
}

LogWriter::~LogWriter() {
  stop();
}

void LogWriter::stop() {
  {
    const MutexLock lock(mutex_);
    is_stopping_ = true;
    stop_by_ = Clock::now() + limits_.flush_for;
  }
  filled_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void LogWriter::log(const spdlog::details::log_msg& message) {
  {
    const MutexLock lock(mutex_);
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    if (queue_.size() + line.size() > limits_.max_queued_bytes) {
      ++dropped_;
      return;
    }
    queue_ += is_colored_ ? colored(message, {line.data(), line.size()})
                          : std::string(line.data(), line.size());
  }
  filled_.notify_one();
}

void LogWriter::flush() {
  const MutexLock lock(mutex_);
  const auto deadline = Clock::now() + limits_.flush_for;
  while ((is_writing_ || !queue_.empty()) && written_.wait_until(mutex_, deadline)) {
  }
}

void LogWriter::set_pattern(const std::string& pattern) {
  set_formatter(std::make_unique<spdlog::pattern_formatter>(pattern));
}

void LogWriter::set_formatter(std::unique_ptr<spdlog::formatter> formatter) {
  const MutexLock lock(mutex_);
  formatter_ = std::move(formatter);
}

void LogWriter::run() {
  while (wait_for_lines()) {
    write(take());
    {
      const MutexLock lock(mutex_);
      is_writing_ = false;
    }
    written_.notify_all();
  }
}

// False when the writer stops and nothing is left.
bool LogWriter::wait_for_lines() {
  const MutexLock lock(mutex_);
  while (queue_.empty() && dropped_ == 0 && !is_stopping_)
    filled_.wait(mutex_);
  return !queue_.empty() || dropped_ > 0;
}

std::string LogWriter::take() {
  const MutexLock lock(mutex_);
  is_writing_ = true;
  std::string lines = std::exchange(queue_, {});
  if (const std::uint64_t dropped = std::exchange(dropped_, 0); dropped > 0)
    lines += fmt::format("{} log lines were dropped: nobody read them in time\n", dropped);
  return lines;
}

// Drops the rest when the writer stops or the descriptor cannot be written.
void LogWriter::write(std::string_view bytes) {
  while (!bytes.empty() && !is_given_up()) {
    if (!is_writable()) continue;
    // A writable pipe takes PIPE_BUF bytes without blocking.
    const std::size_t size = std::min<std::size_t>(bytes.size(), PIPE_BUF);
    const ssize_t written = ::write(descriptor_, bytes.data(), size);
    if (written < 0 && errno != EINTR && errno != EAGAIN) return;
    bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
}

bool LogWriter::is_writable() const {
  pollfd waited{.fd = descriptor_, .events = POLLOUT, .revents = 0};
  return ::poll(&waited, 1, static_cast<int>(kPollFor.count())) > 0;
}

bool LogWriter::is_given_up() const {
  const MutexLock lock(mutex_);
  return is_stopping_ && Clock::now() >= stop_by_;
}

BackgroundLog::BackgroundLog() : before_(log()->sinks()) {
  auto writer = std::make_shared<LogWriter>(STDERR_FILENO, LogWriterLimits());
  writer->set_formatter(log_format());
  log()->sinks() = {std::move(writer)};
  log()->flush_on(spdlog::level::off);
}

BackgroundLog::~BackgroundLog() {
  log()->sinks() = std::move(before_);
  log()->flush_on(kFlushedLevel);
}

}  // namespace oriel
