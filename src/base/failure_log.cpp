#include "base/failure_log.h"

#include <utility>

namespace oriel {
namespace {

constexpr std::size_t kMaxCauses = 64;  // causes are words of the system: few in practice

}  // namespace

std::optional<std::uint64_t> FailureLog::admit(const std::string& cause, SteadyTime now) {
  const MutexLock lock(mutex_);
  const auto found = causes_.find(cause);
  if (found == causes_.end()) {
    if (causes_.size() == kMaxCauses) causes_.clear();
    causes_[cause].logged = now;
    return 0;
  }
  Cause& known = found->second;
  if (now < known.logged + interval_) {
    ++known.left_out;
    return std::nullopt;
  }
  known.logged = now;
  return std::exchange(known.left_out, 0);
}

std::string FailureLog::note(std::uint64_t left_out) {
  if (left_out == 0) return "";
  return " (" + std::to_string(left_out) + " such failures were not logged)";
}

}  // namespace oriel
