#pragma once
// Writes log lines without blocking the caller: the reader of standard error may be slow or
// stopped.

#include "base/mutex.h"

#include <spdlog/sinks/sink.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace oriel {

struct LogWriterLimits {
  std::size_t max_queued_bytes = 256 << 10;  // lines beyond it are dropped and counted
  std::chrono::milliseconds flush_for{500};  // how long flush() and stop() wait for a reader
};

// A bounded queue of lines, and a thread that writes it to a descriptor. When lines were dropped, a
// line with their number takes their place. Colours the level on a terminal.
//
// Any thread may log. A pipe, socket or terminal never blocks the writing thread, so stop() returns
// in time; a file on a stalled disk may delay it.
class LogWriter final : public spdlog::sinks::sink {
 public:
  LogWriter(int descriptor, LogWriterLimits limits);  // borrows the descriptor
  ~LogWriter() override;

  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  // Writes queued lines and joins the thread. Later lines are lost.
  void stop();

  void log(const spdlog::details::log_msg& message) override;
  void flush() override;  // waits until all lines are written
  void set_pattern(const std::string& pattern) override;
  void set_formatter(std::unique_ptr<spdlog::formatter> formatter) override;

 private:
  void run();
  bool wait_for_lines();
  std::string take();
  void write(std::string_view bytes);
  bool is_writable() const;
  bool is_given_up() const;

  const int descriptor_;
  const bool is_colored_;
  const LogWriterLimits limits_;
  mutable Mutex mutex_;
  ConditionVariable filled_;
  ConditionVariable written_;
  std::unique_ptr<spdlog::formatter> formatter_ GUARDED_BY(mutex_);
  std::string queue_ GUARDED_BY(mutex_);
  std::uint64_t dropped_ GUARDED_BY(mutex_) = 0;
  bool is_writing_ GUARDED_BY(mutex_) = false;
  bool is_stopping_ GUARDED_BY(mutex_) = false;
  std::chrono::steady_clock::time_point stop_by_ GUARDED_BY(mutex_);
  std::thread thread_;
};

// While it lives, the process's log goes through a LogWriter to standard error. Make it before
// other threads start, and destroy it after they have ended. Only an explicit flush waits for the
// reader.
class BackgroundLog {
 public:
  BackgroundLog();
  ~BackgroundLog();

  BackgroundLog(const BackgroundLog&) = delete;
  BackgroundLog& operator=(const BackgroundLog&) = delete;

 private:
  std::vector<spdlog::sink_ptr> before_;
};

}  // namespace oriel
