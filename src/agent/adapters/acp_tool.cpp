#include "agent/adapters/acp_tool.h"

#include "base/text/json_line.h"
#include "base/text/json_text.h"

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

// "run_shell_command" of Gemini's "run_shell_command__call_1".
std::string_view name_in_id(std::string_view id) {
  const std::size_t end = id.find("__");
  return end == id.npos ? std::string_view() : id.substr(0, end);
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
  if (first_title.empty()) first_title = new_title;
  const json::value& raw = member(call, "rawInput");
  has_raw_input |= !raw.is_null();
  if (is_complete(raw)) input = raw;
  std::string_view new_name = text_of(member(call, "_meta", "claudeCode", "toolName"));
  if (new_name.empty()) new_name = text_of(member(call, "_meta", "toolName"));
  if (new_name.empty() && known_name.empty())
    new_name = name_in_id(text_of(member(call, "toolCallId")));
  if (!new_name.empty()) known_name = new_name;
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

bool AcpTool::is_kind(std::string_view kind) const {
  const json::value* const own = details.if_contains("kind");
  return own != nullptr && text_of(*own) == kind;
}

std::string AcpTool::name() const {
  if (!known_name.empty()) return known_name;
  const bool is_name = !first_title.empty() &&
                       first_title.find_first_of(" /") == first_title.npos &&
                       first_title != text_of(member(input, "description")) &&
                       first_title != text_of(member(input, "command"));
  const json::value* const kind = details.if_contains("kind");
  if (is_name || kind == nullptr) return first_title;
  return std::string(text_of(*kind));
}

json::value AcpTool::full_input() const {
  const bool is_titled = is_kind("execute") && !has_raw_input && !title.empty() && title != name();
  return is_titled ? json::value(json::object{{"command", title}}) : input;
}

std::string AcpTool::command() const {
  if (!is_kind("execute")) return "";
  const json::value whole = full_input();
  const json::value& command = member(whole, "command");
  return command.is_array() ? json_text(command) : std::string(text_of(command));
}

}  // namespace oriel
