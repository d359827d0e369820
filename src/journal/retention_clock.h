#pragma once
// The time for retention by age: the wall clock, unless it jumps.
//
// A wall clock that is set 40 days ahead by mistake must not remove all events. So it is compared
// with a steady clock: if it advances faster by more than a tolerance, it is doubted. From then on
// retention continues as if it had not jumped, and removes only a small share of the events per
// hour by the wall clock. An operator has time to repair a wrong clock; with a correct one
// retention catches up. At start there is no earlier reading: the newest record's time takes its
// place.

#include "base/moment.h"

#include <chrono>
#include <cstdint>
#include <optional>

namespace oriel {

constexpr std::chrono::hours kMaxClockStep{1};  // that retention accepts without doubt
constexpr std::chrono::hours kMaxStop{24};  // of the server, that retention accepts without doubt
// Percentage of the records at the jump. At least half of them remain after a night.
constexpr std::uint64_t kDoubtfulPercentPerHour = 5;  // unless another is configured

// Used on the journal's thread.
class RetentionClock {
 public:
  // Trusts the first reading unless the newest stored record is much older.
  RetentionClock(Moment start, std::optional<WallTime> newest,
                 std::uint64_t doubtful_percent_per_hour = kDoubtfulPercentPerHour);

  // True if this reading starts a doubt; `records` is the current number of stored records.
  bool advance(Moment now, std::uint64_t records);

  // The time by which any number of records may be removed.
  WallTime trusted() const { return trusted_.wall; }

  // The last reading of the wall clock, doubted or not.
  WallTime wall() const { return wall_; }

  // While wall() is doubted: how many records may be removed by it now. Else 0.
  std::uint64_t allowance() const;
  void removed(std::uint64_t records);

  // Ends the doubt and trusts wall().
  void trust();

 private:
  struct Doubt {
    SteadyTime since;
    std::uint64_t records;      // stored then
    std::uint64_t removed = 0;  // by wall() alone
  };

  Moment trusted_;
  WallTime wall_;
  std::uint64_t doubtful_percent_per_hour_;
  std::optional<Doubt> doubt_;
};

// A steady clock that also counts while the machine sleeps, so that waking up is not a jump.
SteadyTime time_since_boot();

}  // namespace oriel
