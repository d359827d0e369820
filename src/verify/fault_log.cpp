#include "verify/fault_log.h"

#include "base/text/json_text.h"

namespace oriel {

FaultLog::FaultLog(const std::filesystem::path& file) {
  if (!file.empty()) out_.open(file);
}

void FaultLog::note(const boost::json::object& line) {
  if (!out_.is_open()) return;
  const auto now = std::chrono::steady_clock::now() - started_;
  boost::json::object timed{
      {"at_ms", std::chrono::duration_cast<std::chrono::milliseconds>(now).count()}};
  timed.insert(line.begin(), line.end());
  out_ << json_text(timed) << std::endl;
}

}  // namespace oriel
