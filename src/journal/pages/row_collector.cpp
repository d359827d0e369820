#include "journal/pages/row_collector.h"

#include "journal/sqlite/sqlite_database.h"

#include <memory>

namespace oriel {
namespace {

// What `read` returns; false if damage keeps it from reading.
template <class Read>
bool is_sound(Read read) {
  try {
    return read();
  } catch (const SqliteError& failure) {
    if (!failure.is_damage()) throw;
    return false;
  }
}

}  // namespace

bool RowCollector::offer(const SqliteRows& row) {
  const Sequence sequence = sequence_of(row);
  const auto read_row = [&] {
    read_event(row, candidate_);
    return true;
  };
  if (!is_sound(read_row)) return damage(sequence);
  if (!filter_.matches(candidate_)) return true;
  if (page_.is_full()) return false;
  if (!is_sound([&] { return bodies_.read(candidate_); })) return damage(sequence);
  return page_.add(std::make_shared<const Record>(candidate_));
}

bool RowCollector::miss(Sequence first, std::uint64_t count) {
  if (!page_.is_empty()) return false;
  if (first > known_holes_) note_damage(first);
  missed_ += count;
  return true;
}

bool RowCollector::damage(Sequence sequence) {
  if (!page_.is_empty()) return false;
  note_damage(sequence);
  ++missed_;
  return true;
}

void RowCollector::note_damage(Sequence sequence) {
  if (first_damaged_ == kNoSequence) first_damaged_ = sequence;
}

}  // namespace oriel
