#pragma once
// For tests: what the log says while it lives.

#include "base/log.h"

#include <spdlog/sinks/ostream_sink.h>

#include <memory>
#include <sstream>
#include <string>
#include <string_view>

namespace oriel {

// Begins before and ends after the threads that log. text() is read while none of them logs.
class LogCapture {
 public:
  LogCapture() { log()->sinks().push_back(sink_); }

  ~LogCapture() { log()->sinks().pop_back(); }

  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;

  std::string text() const { return text_.str(); }

  // The number of lines that contain this.
  std::size_t lines(std::string_view part) const {
    std::istringstream in(text());
    std::size_t count = 0;
    for (std::string line; std::getline(in, line);)
      if (line.find(part) != std::string::npos) ++count;
    return count;
  }

 private:
  std::ostringstream text_;
  spdlog::sink_ptr sink_ = std::make_shared<spdlog::sinks::ostream_sink_mt>(text_);
};

}  // namespace oriel
