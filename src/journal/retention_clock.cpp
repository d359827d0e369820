#include "journal/retention_clock.h"

#include <ctime>

namespace oriel {

RetentionClock::RetentionClock(Moment start, std::optional<WallTime> newest,
                               std::uint64_t doubtful_percent_per_hour)
    : trusted_(start), wall_(start.wall), doubtful_percent_per_hour_(doubtful_percent_per_hour) {
  if (newest && start.wall > *newest + kMaxStop) trusted_.wall = *newest;
}

bool RetentionClock::advance(Moment now, std::uint64_t records) {
  using std::chrono::milliseconds;
  const auto progress = std::chrono::floor<milliseconds>(now.steady - trusted_.steady);
  const WallTime expected = trusted_.wall + progress;
  wall_ = now.wall;
  // A step back is followed at once: it only keeps events for longer.
  if (now.wall <= expected + kMaxClockStep) {
    trusted_ = now;
    doubt_.reset();
    return false;
  }
  trusted_ = {.wall = expected, .steady = trusted_.steady + progress};
  if (doubt_) return false;
  doubt_ = Doubt{.since = now.steady, .records = records};
  return true;
}

std::uint64_t RetentionClock::allowance() const {
  if (!doubt_) return 0;
  using Hours = std::chrono::duration<double, std::ratio<3600>>;
  const double hours = Hours(trusted_.steady - doubt_->since).count();
  const auto percent = static_cast<double>(doubtful_percent_per_hour_);
  const double per_hour = static_cast<double>(doubt_->records) * percent / 100;
  const double allowed = hours * per_hour - static_cast<double>(doubt_->removed);
  return allowed < 1 ? 0 : static_cast<std::uint64_t>(allowed);
}

void RetentionClock::removed(std::uint64_t records) {
  if (doubt_) doubt_->removed += records;
}

void RetentionClock::trust() {
  trusted_.wall = wall_;
  doubt_.reset();
}

SteadyTime time_since_boot() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return SteadyTime(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

}  // namespace oriel
