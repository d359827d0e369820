#pragma once
// The one shape of an event on every endpoint: events of sessions, and events that services
// publish. Values only; the journal assigns the numbers.

#include "base/time.h"

#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace oriel {

struct SessionEvent {
  std::string type;       // a name (base/id.h)
  std::string feed_type;  // the name it has on /api/events, in lists of every event; empty: `type`
  std::string text;
  std::string tool_name;
  std::string role;
  std::string session_id;  // empty: belongs to no session
  std::string project_id;  // empty: belongs to no project
  WallTime timestamp;
  std::string task_id;
  std::string tool_call_id;
  std::string status;
  std::optional<boost::json::value> usage;
  std::optional<boost::json::value> data;
};

// The event as JSON but for its first key: `"type":...,"session_id":...,...}`. Its index is known
// only once the journal has placed it, and stands first, so the rest is serialized once and shared
// by all who receive it.
std::string serialize_body(const SessionEvent& event);

// `{"index":N,` + body: the whole event, in one line.
std::string event_json(std::uint64_t index, std::string_view body);

}  // namespace oriel
