#pragma once
// Turns an event into the record that a journal stores; the journal adds the numbers.

#include "base/event/record.h"
#include "base/event/session_event.h"

#include <memory>

namespace oriel {

std::shared_ptr<Record> to_record(SessionEvent event);

}  // namespace oriel
