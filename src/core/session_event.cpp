#include "core/session_event.h"

#include "core/json_text.h"

namespace oriel {
namespace {

void append_key(std::string& out, std::string_view key, const boost::json::value& value) {
  if (!out.empty()) out += ',';
  out += '"';
  out += key;
  out += "\":";
  out += json_text(value);
}

void append_detail(std::string& out, std::string_view key, const std::string& value) {
  if (!value.empty()) append_key(out, key, boost::json::string(value));
}

void append_detail(std::string& out, std::string_view key,
                   const std::optional<boost::json::value>& value) {
  if (value) append_key(out, key, *value);
}

}  // namespace

std::string serialize_body(const SessionEvent& event) {
  std::string out;
  append_key(out, "type", boost::json::string(event.type));
  append_key(out, "text", boost::json::string(event.text));
  append_key(out, "tool_name", boost::json::string(event.tool_name));
  append_key(out, "role", boost::json::string(event.role));
  append_key(out, "session_id", boost::json::string(event.session_id));
  append_key(out, "timestamp", boost::json::string(format_time(event.timestamp)));
  append_detail(out, "project_id", event.project_id);
  append_detail(out, "turn_id", event.turn_id);
  append_detail(out, "tool_call_id", event.tool_call_id);
  append_detail(out, "status", event.status);
  append_detail(out, "usage", event.usage);
  append_detail(out, "data", event.data);
  out += '}';
  return out;
}

std::string event_json(std::uint64_t index, std::string_view body) {
  std::string out = "{\"index\":" + std::to_string(index) + ",";
  out += body;
  return out;
}

}  // namespace oriel
