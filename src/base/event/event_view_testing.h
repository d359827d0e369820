#pragma once
// An event as clients see it, for tests: the keys of its wire form.

#include "base/event/event_json.h"
#include "base/text/json_access.h"

#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct EventView {
  std::string type;
  std::string feed_type;
  std::string text;
  std::string tool_name;
  std::string role;
  std::string session_id;
  std::string project_id;
  WallTime timestamp;
  std::string task_id;
  std::string tool_call_id;
  std::string status;
  std::optional<boost::json::value> usage;
  std::optional<boost::json::value> data;
};

inline EventView view_of(const SessionEvent& event) {
  const boost::json::object json = parse_object(event_json(0, serialize_body(event)));
  EventView view{.type = text_at(json, "type"),
                 .feed_type = std::string(event.feed_type()),
                 .text = text_at(json, "text"),
                 .tool_name = text_at(json, "tool_name"),
                 .role = text_at(json, "role"),
                 .session_id = text_at(json, "session_id"),
                 .project_id = text_at(json, "project_id"),
                 .timestamp = event.timestamp,
                 .task_id = text_at(json, "task_id"),
                 .tool_call_id = text_at(json, "tool_call_id"),
                 .status = text_at(json, "status"),
                 .usage = {},
                 .data = {}};
  if (const auto* const usage = json.if_contains("usage")) view.usage = *usage;
  if (const auto* const data = json.if_contains("data")) view.data = *data;
  return view;
}

inline std::vector<EventView> views_of(const std::vector<SessionEvent>& events) {
  std::vector<EventView> views;
  for (const SessionEvent& event : events)
    views.push_back(view_of(event));
  return views;
}

// An event of a service.
inline SessionEvent custom_event(std::string type, std::string session_id, std::string text = {}) {
  SessionEvent event;
  event.session_id = std::move(session_id);
  event.payload = event::Custom{.type = std::move(type), .text = std::move(text), .data = {}};
  return event;
}

}  // namespace oriel
