#include "cluster/log/stream_poll.h"

namespace oriel {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kInterval{3000};
constexpr milliseconds kDeadline{1000};
// A leader may say for some seconds that the log ends earlier than it does.
constexpr std::chrono::seconds kMaxShortness{60};

}  // namespace

bool StreamPoll::begin(SteadyTime now) {
  const MutexLock lock(mutex_);
  if (now < due_) return false;
  if (is_asked_) silence_.begin(now, "its stream's leader does not answer");
  is_asked_ = true;
  const bool is_calm = !silence_.has_lasted(milliseconds(0), now);
  due_ = now + (is_calm ? kInterval : kDeadline);
  return true;
}

SteadyTime StreamPoll::due() const {
  const MutexLock lock(mutex_);
  return due_;
}

std::optional<LogStream> StreamPoll::answered(std::string_view answer, std::uint64_t taken,
                                              SteadyTime now) {
  std::optional<LogStream> stream = parse_stream(answer);
  const MutexLock lock(mutex_);
  is_asked_ = false;
  if (!stream) {
    silence_.begin(now, stream_problem(answer));
    return stream;
  }
  silence_.end();
  if (stream->last < taken)
    shortness_.begin(now, "it ends at place " + std::to_string(stream->last) + ", before place " +
                              std::to_string(taken) + ", which this node has stored");
  else
    shortness_.end();
  return stream;
}

void StreamPoll::reconnected(SteadyTime now) {
  const MutexLock lock(mutex_);
  is_asked_ = false;
  silence_.end();
  due_ = now;
}

std::optional<std::string> StreamPoll::problem(SteadyTime now, milliseconds patience) const {
  const MutexLock lock(mutex_);
  if (shortness_.has_lasted(kMaxShortness, now))
    return "the log is broken: " + shortness_.reason() + "; see oriel cluster refound";
  if (silence_.has_lasted(patience, now)) return "the log does not answer: " + silence_.reason();
  return std::nullopt;
}

}  // namespace oriel
