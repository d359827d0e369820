#pragma once
// An event that the journal has placed. Immutable once made, so that threads share it.

#include "base/sequence.h"
#include "base/session_event.h"

#include <cstdint>
#include <memory>
#include <string>

namespace oriel {

struct Record {
  Sequence sequence = kNoSequence;
  std::uint64_t index = 0;  // place in its session, from 0 without holes; 0 when it has no session
  WallTime time;
  std::string type;  // its name on /api/events
  std::string kind;  // SessionEvent::type where that is another name; else empty
  std::string session_id;
  std::string project_id;
  std::string body;  // serialize_body()

  std::string json() const { return event_json(index, body); }

  // What it costs to hold, for limits in bytes.
  std::size_t bytes() const {
    return sizeof(Record) + type.size() + kind.size() + session_id.size() + project_id.size() +
           body.size();
  }
};

using RecordPtr = std::shared_ptr<const Record>;

}  // namespace oriel
