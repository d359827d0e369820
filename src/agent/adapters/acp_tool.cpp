#include "agent/adapters/acp_tool.h"

#include "base/text/json_line.h"

namespace oriel {
namespace {

namespace json = boost::json;

// A shell tool is announced with only its directory while the model still writes the command.
bool is_complete(const json::value& input) {
  const json::object* object = input.if_object();
  if (!object) return !input.is_null();
  return object->size() > (object->contains("cwd") ? 1 : 0);
}

// An empty list takes nothing back: some agents send one for what they leave out.
bool is_empty(const json::value& value) {
  if (const json::array* array = value.if_array()) return array->empty();
  if (const json::object* object = value.if_object()) return object->empty();
  return value.is_null();
}

std::string raw_output_text(const json::value& output) {
  for (const char* name : {"aggregated_output", "output", "content", "message", "error"}) {
    const json::value& text = member(output, name);
    if (text.is_string()) return std::string(text_of(text));
  }
  return content_text(output);
}

}  // namespace

void AcpTool::learn(const json::value& call) {
  const std::string_view new_title = text_of(member(call, "title"));
  if (!new_title.empty()) title = new_title;
  if (const json::value& raw = member(call, "rawInput"); is_complete(raw)) input = raw;
  std::string_view new_name = text_of(member(call, "_meta", "claudeCode", "toolName"));
  if (new_name.empty()) new_name = text_of(member(call, "_meta", "toolName"));
  if (new_name.empty() && name.empty()) new_name = new_title;
  if (new_name.empty() && name.empty()) new_name = text_of(member(call, "kind"));
  if (!new_name.empty()) name = new_name;
  for (const auto& [key, value] :
       rest_of(call, {"sessionUpdate", "toolCallId", "title", "status", "rawInput", "rawOutput"}))
    if (!is_empty(value)) details[key] = value;
}

void AcpTool::learn_output(const json::value& update) {
  std::string text = content_text(member(update, "content"));
  if (text.empty() && output.empty()) text = raw_output_text(member(update, "rawOutput"));
  if (!text.empty()) output = std::move(text);
}

bool AcpTool::has_input() const {
  return is_complete(input);
}

}  // namespace oriel
