#include "journal/record_log.h"

#include <algorithm>
#include <utility>

namespace oriel {

void RecordLog::push_back(RecordPtr record) {
  const Sequence sequence = record->sequence;
  slots_.push_back({.sequence = sequence, .record = std::move(record)});
}

void RecordLog::erase(Sequence sequence) {
  const auto position = after(sequence - 1) - slots_.cbegin();
  slots_[static_cast<std::size_t>(position)].record.reset();
  ++tombstones_;
  while (!slots_.empty() && !slots_.front().record) {
    slots_.pop_front();
    --tombstones_;
  }
  if (tombstones_ <= size()) return;
  std::erase_if(slots_, [](const Slot& slot) { return !slot.record; });
  tombstones_ = 0;
}

RecordLog::Iterator RecordLog::after(Sequence sequence) const {
  const auto is_before = [](Sequence value, const Slot& slot) { return value < slot.sequence; };
  return std::upper_bound(slots_.begin(), slots_.end(), sequence, is_before);
}

std::size_t RecordLog::count_after(Sequence sequence) const {
  if (slots_.empty() || sequence < slots_.front().sequence) return size();
  // From the end: most clients resume after a short time.
  std::size_t count = 0;
  for (auto slot = slots_.rbegin(); slot->sequence > sequence; ++slot) {
    if (slot->record) ++count;
  }
  return count;
}

}  // namespace oriel
