#pragma once
// Collects rows of SQLite for a page.

#include "base/event/event_filter.h"
#include "base/event/record.h"
#include "journal/pages/page_builder.h"
#include "journal/sqlite/event_row.h"

#include <cstdint>

namespace oriel {

// Adds matching records to a page and counts missing ones. What it refers to outlives it.
class RowCollector {
 public:
  // Missing sequences up to `known_holes` are not reported as damage.
  RowCollector(const EventFilter& filter, PageBuilder& page, EventBodies& bodies,
               Sequence known_holes)
      : filter_(filter), page_(page), bodies_(bodies), known_holes_(known_holes) {}

  // Returns false if the row's record matches but does not fit.
  bool offer(const SqliteRows& row);

  // Counts missing records, from the sequence `first` on. Returns false, and counts nothing, if the
  // page has records: the page ends here, because a gap is reported before the records of its page.
  bool miss(Sequence first, std::uint64_t count);

  // Counts a record that exists but cannot be read. Returns false as miss() does.
  bool damage(Sequence sequence);

  std::uint64_t missed() const { return missed_; }

  Sequence first_damaged() const { return first_damaged_; }

 private:
  void note_damage(Sequence sequence);

  const EventFilter& filter_;
  PageBuilder& page_;
  EventBodies& bodies_;
  const Sequence known_holes_;
  Record candidate_;  // reused for each row, for the capacity of its strings
  std::uint64_t missed_ = 0;
  Sequence first_damaged_ = kNoSequence;
};

}  // namespace oriel
