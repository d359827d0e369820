#include "verify/watch_check.h"

#include <spdlog/fmt/fmt.h>

#include <limits>

namespace oriel {
namespace {

class Checker {
 public:
  Checker(const WatchLog& log, const std::vector<Delivery>& journal)
      : log_(log), journal_(journal) {}

  WatchCheck check() {
    for (std::size_t i = 0; i < log_.deliveries.size(); ++i) {
      const Delivery& delivery = log_.deliveries[i];
      if (delivery.sequence <= last_) {
        check_.faults.push_back(
            fmt::format("{}: {} after {}", log_.watcher, delivery.sequence, last_));
        continue;
      }
      skip_to(delivery.sequence, i);
      last_ = delivery.sequence;
      compare(delivery);
    }
    skip_to(kMaxSequence, std::numeric_limits<std::size_t>::max());
    check_.delivered = log_.deliveries.size();
    return std::move(check_);
  }

 private:
  // The events of the journal before `sequence` are missing; gaps at this position explain them.
  void skip_to(Sequence sequence, std::size_t position) {
    const std::size_t first = expected_;
    while (expected_ < journal_.size() && journal_[expected_].sequence < sequence)
      ++expected_;
    const std::uint64_t missing = expected_ - first;
    bool is_announced = false;
    bool is_counted = true;
    std::uint64_t missed = 0;
    for (; gap_ < log_.gaps.size() && log_.gaps[gap_].position <= position; ++gap_) {
      is_announced = true;
      is_counted = is_counted && log_.gaps[gap_].missed.has_value();
      missed += log_.gaps[gap_].missed.value_or(0);
    }
    if (is_announced) {
      check_.announced += missing;
      if (!is_counted && missing == 0) {
        check_.wrong_gaps.push_back(
            fmt::format("{}: a gap after {}, where nothing is missing", log_.watcher, last_));
      } else if (is_counted && missed != missing) {
        check_.wrong_gaps.push_back(
            fmt::format("{}: a gap of {} events after {}, where {} are missing", log_.watcher,
                        missed, last_, missing));
      }
    } else if (missing > 0) {
      check_.holes.push_back(fmt::format("{}: {} to {} missing after {}", log_.watcher,
                                         journal_[first].sequence, journal_[expected_ - 1].sequence,
                                         last_));
    }
  }

  void compare(const Delivery& delivery) {
    const bool is_known =
        expected_ < journal_.size() && journal_[expected_].sequence == delivery.sequence;
    if (!is_known) {
      check_.faults.push_back(
          fmt::format("{}: {} is not in the journal", log_.watcher, delivery.sequence));
      return;
    }
    if (journal_[expected_++].digest != delivery.digest) {
      check_.faults.push_back(
          fmt::format("{}: {} differs from the journal", log_.watcher, delivery.sequence));
    }
  }

  const WatchLog& log_;
  const std::vector<Delivery>& journal_;
  WatchCheck check_;
  std::size_t expected_ = 0;  // in the journal
  std::size_t gap_ = 0;
  Sequence last_ = kNoSequence;
};

}  // namespace

WatchCheck check_watch(const WatchLog& log, const std::vector<Delivery>& journal) {
  return Checker(log, journal).check();
}

}  // namespace oriel
