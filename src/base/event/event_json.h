#pragma once
// The wire form of an event (R-SHAPE-1): event_json.cpp writes it, event_parser.cpp reads it back.

#include "base/event/record.h"
#include "base/event/session_event.h"

#include <boost/json/object.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace oriel {

// The event as JSON without its first key: `"type":...,"text":...,...}`. The index comes first on
// the wire and is known only after the journal has placed the event, so the rest is serialized once
// and shared by all readers.
std::string serialize_body(const SessionEvent& event);

// Parses the output of serialize_body(). Missing and malformed members read as empty.
SessionEvent parse_event(const Record& record);

// Parses an event as a client receives it. `feed_type` is its name on /api/events. Without a
// feed_type (""), payloads that share a type are parsed as event::Custom.
SessionEvent parse_event(std::string_view feed_type, const boost::json::object& json);

}  // namespace oriel
