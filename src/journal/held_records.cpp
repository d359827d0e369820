#include "journal/held_records.h"

#include <algorithm>
#include <utility>

namespace oriel {

void HeldRecords::push_back(RecordPtr record) {
  const Sequence sequence = record->sequence;
  slots_.push_back({.sequence = sequence, .record = std::move(record)});
}

void HeldRecords::erase(Sequence sequence) {
  const auto position = after(sequence - 1) - slots_.cbegin();
  slots_[static_cast<std::size_t>(position)].record.reset();
  ++empty_slots_;
  while (!slots_.empty() && !slots_.front().record) {
    slots_.pop_front();
    --empty_slots_;
  }
  if (empty_slots_ <= size()) return;
  std::erase_if(slots_, [](const Slot& slot) { return !slot.record; });
  empty_slots_ = 0;
}

HeldRecords::Iterator HeldRecords::after(Sequence sequence) const {
  const auto is_before = [](Sequence value, const Slot& slot) { return value < slot.sequence; };
  return std::upper_bound(slots_.begin(), slots_.end(), sequence, is_before);
}

std::size_t HeldRecords::count_after(Sequence sequence) const {
  if (slots_.empty() || sequence < slots_.front().sequence) return size();
  // From the end, because most who ask have been away for a short time.
  std::size_t count = 0;
  for (auto slot = slots_.rbegin(); slot->sequence > sequence; ++slot) {
    if (slot->record) ++count;
  }
  return count;
}

}  // namespace oriel
