#pragma once
// Masks secrets in the readable text of events and turns. Ids stay unchanged, because agents and
// clients compare them. Pure.

#include "base/event/session_event.h"
#include "base/event/turn.h"
#include "base/text/redactor.h"

#include <boost/json/value.hpp>

namespace oriel {

void redact(boost::json::value& value, const Redactor& redactor);  // strings and keys at any depth
void redact(AgentEvent& event, const Redactor& redactor);
void redact(SessionEvent& event, const Redactor& redactor);
void redact(Turn& turn, const Redactor& redactor);

}  // namespace oriel
