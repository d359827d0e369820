// Session files of Factory Droid up to 0.215.0.

#include "base/text/json_line.h"
#include "base/text/line_memory.h"
#include "base/text/text_hash.h"
#include "transcript/entry_list.h"
#include "transcript/question_tool.h"

namespace oriel {
namespace {

namespace json = boost::json;

bool is_reminder(std::string_view text) {
  text = trimmed(text);
  return text.starts_with("<system-reminder>") && text.ends_with("</system-reminder>");
}

void add_user_content(EntryList& entries, const json::value& content) {
  std::string prompt(text_of(content));
  bool has_reminder = false;
  for (const json::value& block : elements_of(content)) {
    const std::string_view type = text_of(member(block, "type"));
    const std::string_view text = text_of(member(block, "text"));
    if (type == "tool_result") {
      TranscriptEntry& entry =
          entries.add(EntryKind::kToolResult, content_text(member(block, "content")));
      entry.tool_call_id = text_of(member(block, "tool_use_id"));
      entry.is_error = is_true(member(block, "is_error"));
    }
    if (type != "text") continue;
    if (is_reminder(text)) {
      has_reminder = true;
      continue;
    }
    if (!prompt.empty()) prompt += "\n";
    prompt += text;
  }
  if (!trimmed(prompt).empty())
    entries.add(EntryKind::kPrompt, std::move(prompt));
  else if (has_reminder)
    entries.add(EntryKind::kMeta);
}

void add_assistant_content(EntryList& entries, const json::value& content) {
  if (!trimmed(text_of(content)).empty())
    entries.add(EntryKind::kText, std::string(text_of(content)));
  for (const json::value& block : elements_of(content)) {
    const std::string_view type = text_of(member(block, "type"));
    const std::string_view text = text_of(member(block, "text"));
    if (type == "text" && !trimmed(text).empty()) entries.add(EntryKind::kText, std::string(text));
    if (type == "tool_use")
      add_tool_use(entries, text_of(member(block, "id")), text_of(member(block, "name")),
                   member(block, "input"));
  }
}

void add_message(EntryList& entries, const json::value& line, std::string_view id) {
  const json::value& message = member(line, "message");
  const std::string_view role = text_of(member(message, "role"));
  const bool is_hidden = text_of(member(message, "visibility")) == "llm_only" ||
                         text_of(member(line, "visibility")) == "llm_only";
  if (is_hidden || id.starts_with("context-")) {
    entries.add(EntryKind::kMeta);
    return;
  }
  if (role == "user") add_user_content(entries, member(message, "content"));
  if (role == "assistant") add_assistant_content(entries, member(message, "content"));
}

}  // namespace

TranscriptLine parse_droid_line(std::string_view text) {
  LineMemory memory;
  const std::optional<json::value> line = parse_line(text, memory.storage());
  if (!line) return {.entries = {}, .skipped = "not a JSON object"};
  const std::string_view type = text_of(member(*line, "type"));
  const std::string_view id = text_of(member(*line, "id"));
  if (type.empty()) return {.entries = {}, .skipped = "the line has no type"};
  TranscriptEntry common;
  common.id = id;
  common.time = parse_time(text_of(member(*line, "timestamp")));
  if (type == "session_start") {
    common.session_id = id;
    common.cwd = text_of(member(*line, "cwd"));
  }
  if (type == "agent_turn_outcome") {
    common.prompt_id = text_of(member(*line, "turnId"));
    common.id = "task-end:" + common.prompt_id;
  }
  EntryList entries(std::move(common));
  if (type == "session_start")
    entries.add(EntryKind::kMeta, std::string(text_of(member(*line, "title"))));
  if (type == "compaction_state") entries.add(EntryKind::kCompaction);
  if (type == "agent_turn_outcome") {
    const std::string_view reason = text_of(member(*line, "reason"));
    const bool is_stopped = reason == "cancelled" || reason == "permission_rejected";
    entries.add(is_stopped ? EntryKind::kInterrupt : EntryKind::kTaskEnd);
  }
  if (type != "message") return entries.take();
  if (id.empty()) return {.entries = {}, .skipped = "the message has no id"};
  add_message(entries, *line, id);
  return entries.take();
}

}  // namespace oriel
