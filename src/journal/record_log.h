#pragma once
// Records ordered by sequence; any of them can be erased.

#include "base/event/record.h"

#include <cstdint>
#include <deque>

namespace oriel {

// Erasing leaves a tombstone instead of moving the later records. Tombstones are dropped at the
// front, and everywhere once they outnumber the records.
class RecordLog {
 public:
  struct Slot {
    Sequence sequence;
    RecordPtr record;  // null: a tombstone
  };

  using Iterator = std::deque<Slot>::const_iterator;

  std::size_t size() const { return slots_.size() - tombstones_; }

  std::size_t slot_bytes() const { return slots_.size() * sizeof(Slot); }

  // The oldest. Requires size() > 0.
  const RecordPtr& front() const { return slots_.front().record; }

  // Number of records with a higher sequence.
  std::size_t count_after(Sequence sequence) const;

  // The first slot with a higher sequence, which may be a tombstone.
  Iterator after(Sequence sequence) const;

  Iterator end() const { return slots_.end(); }

  void push_back(RecordPtr record);  // its sequence is higher than all before
  void erase(Sequence sequence);     // of a record in the log

 private:
  std::deque<Slot> slots_;  // rising sequences; the first is never a tombstone
  std::size_t tombstones_ = 0;
};

}  // namespace oriel
