#include "verify/fault_schedule.h"

#include <string_view>
#include <utility>

namespace oriel {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kReachTime{10'000};  // for a failpoint to be hit
constexpr milliseconds kRenameTime{2000};   // files are replaced when the server stops

// The number of times that a busy server is certain to hit the failpoint in one life.
std::uint64_t hits_of(std::string_view failpoint) {
  for (const std::string_view rare : {"checkpoint.", "rename.", "spawn."}) {
    if (failpoint.starts_with(rare)) return 1;
  }
  for (const std::string_view occasional : {"input.", "sync."}) {
    if (failpoint.starts_with(occasional)) return 4;
  }
  return 30;
}

}  // namespace

FaultSchedule::FaultSchedule(std::uint64_t seed, std::vector<std::string> failpoints)
    : random_(seed), failpoints_(std::move(failpoints)) {
  // Not std::shuffle, whose order depends on the library.
  for (std::size_t i = failpoints_.size(); i > 1; --i)
    std::swap(failpoints_[i - 1], failpoints_[random(0, i - 1)]);
}

Life FaultSchedule::next() {
  if (!failpoints_.empty()) {
    Life life{.end = LifeEnd::kCrash, .after = kReachTime, .failpoint = failpoints_.back()};
    failpoints_.pop_back();
    life.hit = random(1, hits_of(life.failpoint));
    if (life.failpoint.starts_with("rename.")) life.after = kRenameTime;
    return life;
  }
  const bool is_stop = random(0, 3) == 0;
  return {.end = is_stop ? LifeEnd::kStop : LifeEnd::kKill,
          .after = milliseconds(random(200, 3000))};
}

std::uint64_t FaultSchedule::random(std::uint64_t from, std::uint64_t to) {
  return from + random_() % (to - from + 1);
}

}  // namespace oriel
