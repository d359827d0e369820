#pragma once
// Turns an event into the record that a journal stores; the journal adds the numbers.

#include "base/event/record.h"
#include "base/event/session_event.h"

#include <memory>
#include <vector>

namespace oriel {

std::shared_ptr<Record> to_record(const SessionEvent& event);

// Frees each event as soon as its record is made: both hold its text.
NewRecords to_records(std::vector<SessionEvent> events);

}  // namespace oriel
