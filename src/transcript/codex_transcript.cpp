// Rollout files of Codex up to 0.166.0: item_completed events, before that user_message and
// agent_message events, and at first bare items.

#include "base/text/json_line.h"
#include "base/text/line_memory.h"
#include "base/text/text_hash.h"
#include "transcript/entry_list.h"
#include "transcript/question_tool.h"

#include <boost/json/array.hpp>

namespace oriel {
namespace {

namespace json = boost::json;

// Of blocks of type text, Text, input_text and output_text.
std::string text_in(const json::value& content) {
  if (content.is_string()) return std::string(text_of(content));
  std::string text;
  for (const json::value& block : elements_of(content)) {
    const std::string_view part = text_of(member(block, "text"));
    if (!text.empty() && !part.empty()) text += "\n";
    text += part;
  }
  return text;
}

// Context that the program puts before the first prompt.
bool is_context(std::string_view text) {
  text = trimmed(text);
  return text.starts_with("<environment_context>") || text.starts_with("<user_instructions>") ||
         text.starts_with("# AGENTS.md instructions");
}

void add_text(EntryList& entries, EntryKind kind, std::string text) {
  if (!trimmed(text).empty()) entries.add(kind, std::move(text));
}

json::value parsed_arguments(const json::value& arguments) {
  if (!arguments.is_string()) return arguments;
  if (auto object = parse_line(text_of(arguments))) return *std::move(object);
  return arguments;
}

void add_tool_result(EntryList& entries, const json::value& item) {
  const json::value& output = member(item, "output");
  TranscriptEntry& entry = entries.add(EntryKind::kToolResult);
  entry.tool_call_id = text_of(member(item, "call_id"));
  const json::value& success = member(output, "success");
  entry.is_error = success.is_bool() && !success.get_bool();
  const json::value structured = parsed_arguments(output);
  entry.text = answer_text(structured);
  if (entry.text.empty()) entry.text = output_text(output);
}

void add_item(EntryList& entries, const json::value& item) {
  const std::string_view type = text_of(member(item, "type"));
  const std::string_view call_id = text_of(member(item, "call_id"));
  if (type == "function_call")
    add_tool_use(entries, call_id, text_of(member(item, "name")),
                 parsed_arguments(member(item, "arguments")));
  if (type == "custom_tool_call")
    add_tool_use(entries, call_id, text_of(member(item, "name")), member(item, "input"));
  if (type == "local_shell_call")
    add_tool_use(entries, call_id, "local_shell", member(item, "action"));
  if (type == "function_call_output" || type == "custom_tool_call_output")
    add_tool_result(entries, item);
}

// In the first versions only items have the messages.
void add_bare_item(EntryList& entries, const json::value& item) {
  add_item(entries, item);
  if (text_of(member(item, "type")) != "message") return;
  std::string text = text_in(member(item, "content"));
  const std::string_view role = text_of(member(item, "role"));
  if (role == "assistant") {
    add_text(entries, EntryKind::kText, std::move(text));
  } else if (role == "user" && !is_context(text)) {
    add_text(entries, EntryKind::kPrompt, std::move(text));
  }
}

void add_event(EntryList& entries, const json::value& event) {
  const std::string_view type = text_of(member(event, "type"));
  const json::value& item = member(event, "item");
  const std::string_view item_type = text_of(member(item, "type"));
  if (type == "user_message" || (type == "item_completed" && item_type == "UserMessage")) {
    std::string text(text_of(member(event, "message")));
    if (text.empty()) text = text_in(member(item, "content"));
    if (!is_context(text)) add_text(entries, EntryKind::kPrompt, std::move(text));
  }
  if (type == "agent_message")
    add_text(entries, EntryKind::kText, std::string(text_of(member(event, "message"))));
  if (type == "item_completed" && item_type == "AgentMessage")
    add_text(entries, EntryKind::kText, text_in(member(item, "content")));
  if (type == "task_complete" || type == "turn_complete") entries.add(EntryKind::kTaskEnd);
  if (type == "turn_aborted") entries.add(EntryKind::kInterrupt);
}

std::string id_of(const json::value& payload, std::string_view line) {
  std::string_view own = text_of(member(payload, "item", "id"));
  if (own.empty()) own = text_of(member(payload, "id"));
  if (own.empty()) own = text_of(member(payload, "call_id"));
  if (!own.empty()) return "codex:" + std::string(own);
  return "codex:" + hex(text_hash(line));
}

}  // namespace

TranscriptLine parse_codex_line(std::string_view text) {
  LineMemory memory;
  const std::optional<json::value> line = parse_line(text, memory.storage());
  if (!line) return {.entries = {}, .skipped = "not a JSON object"};
  const json::value& payload = member(*line, "payload");
  const std::string_view type = text_of(member(*line, "type"));
  TranscriptEntry common;
  common.id = id_of(payload.is_object() ? payload : *line, text);
  common.time = parse_time(text_of(member(*line, "timestamp")));
  common.prompt_id = text_of(member(payload, "turn_id"));
  if (type == "session_meta") {
    common.session_id = text_of(member(payload, "id"));
    common.cwd = text_of(member(payload, "cwd"));
  }
  const bool has_id = !text_of(member(*line, "id")).empty();
  EntryList entries(std::move(common));
  if (type == "session_meta") entries.add(EntryKind::kMeta);
  if (type == "compacted") entries.add(EntryKind::kCompaction);
  if (type == "event_msg") add_event(entries, payload);
  if (type == "response_item") add_item(entries, payload);
  if (payload.is_object()) return entries.take();
  if (!type.empty()) {
    add_bare_item(entries, *line);
    return entries.take();
  }
  if (!has_id) return {.entries = {}, .skipped = "the line has no type"};
  entries.add(EntryKind::kMeta);
  return entries.take();
}

}  // namespace oriel
