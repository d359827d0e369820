#pragma once
// Records in the order of their sequences, any of which may be taken out.

#include "base/record.h"

#include <cstdint>
#include <deque>

namespace oriel {

// A record that is taken out leaves an empty slot, so that it costs no move of the others. Empty
// slots are dropped at the front, and squeezed out elsewhere once they outnumber the records: a
// flood in one session must not fill the memory with them.
class HeldRecords {
 public:
  struct Slot {
    Sequence sequence;
    RecordPtr record;  // none: an empty slot
  };

  using Iterator = std::deque<Slot>::const_iterator;

  std::size_t size() const { return slots_.size() - empty_slots_; }

  std::size_t slot_bytes() const { return slots_.size() * sizeof(Slot); }

  // The oldest; there must be one.
  const RecordPtr& front() const { return slots_.front().record; }

  // How many have a sequence after this one.
  std::size_t count_after(Sequence sequence) const;

  // The slots from the first one after this sequence to the end; some are empty.
  Iterator after(Sequence sequence) const;

  Iterator end() const { return slots_.end(); }

  void push_back(RecordPtr record);  // of a higher sequence than all others
  void erase(Sequence sequence);     // of a record that is held

 private:
  std::deque<Slot> slots_;  // rising; the first one is not empty
  std::size_t empty_slots_ = 0;
};

}  // namespace oriel
