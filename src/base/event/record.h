#pragma once
// An event as the journal stores it: serialized, with sequence and index. Immutable once stored, so
// that threads share it.

#include "base/event/session_event.h"
#include "base/sequence.h"
#include "base/time.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// `{"index":N,` and a body: the whole event, in one line.
std::string event_json(std::uint64_t index, std::string_view body);

struct Record {
  Sequence sequence = kNoSequence;
  std::uint64_t index = 0;  // in its session, from 0 without holes; 0 if it has no session
  WallTime time;
  std::string type;  // SessionEvent::feed_type(), its name on /api/events
  EventType event_type = EventType::kCustom;
  std::string session_id;
  std::string project_id;
  std::string body;  // serialize_body() of base/event_json.h

  std::string json() const { return event_json(index, body); }

  // Memory use, for limits in bytes.
  std::size_t bytes() const {
    return sizeof(Record) + type.size() + session_id.size() + project_id.size() + body.size();
  }
};

using RecordPtr = std::shared_ptr<const Record>;

// Without numbers yet, which the journal assigns.
using NewRecords = std::vector<std::shared_ptr<Record>>;

}  // namespace oriel
