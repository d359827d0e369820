#include "base/session_event.h"

#include "base/text/json_text.h"

namespace oriel {
namespace {

void append_key(std::string& out, std::string_view key) {
  if (!out.empty()) out += ',';
  out += '"';
  out += key;
  out += "\":";
}

void append_text(std::string& out, std::string_view key, std::string_view text) {
  append_key(out, key);
  append_json_string(out, text);
}

void append_detail(std::string& out, std::string_view key, std::string_view text) {
  if (!text.empty()) append_text(out, key, text);
}

void append_detail(std::string& out, std::string_view key,
                   const std::optional<boost::json::value>& value) {
  if (!value) return;
  append_key(out, key);
  append_json(out, *value);
}

}  // namespace

std::string serialize_body(const SessionEvent& event) {
  std::string out;
  out.reserve(512 + event.text.size());
  append_text(out, "type", event.type);
  append_text(out, "text", event.text);
  append_text(out, "tool_name", event.tool_name);
  append_text(out, "role", event.role);
  append_text(out, "session_id", event.session_id);
  append_text(out, "timestamp", format_time(event.timestamp));
  append_detail(out, "project_id", event.project_id);
  append_detail(out, "task_id", event.task_id);
  append_detail(out, "tool_call_id", event.tool_call_id);
  append_detail(out, "status", event.status);
  append_detail(out, "usage", event.usage);
  append_detail(out, "data", event.data);
  out += '}';
  out.shrink_to_fit();  // it is kept
  return out;
}

std::string event_json(std::uint64_t index, std::string_view body) {
  std::string out = "{\"index\":" + std::to_string(index) + ",";
  out += body;
  return out;
}

}  // namespace oriel
