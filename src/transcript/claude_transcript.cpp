// Transcripts of Claude Code up to 2.1.197.

#include "base/text/json_line.h"
#include "base/text/line_memory.h"
#include "base/text/text_hash.h"
#include "transcript/entry_list.h"
#include "transcript/question_tool.h"

namespace oriel {
namespace {

namespace json = boost::json;

// The text between <name> and </name>; empty: there is none.
std::string_view inside(std::string_view text, std::string_view name) {
  const std::string open = "<" + std::string(name) + ">";
  const std::string close = "</" + std::string(name) + ">";
  const std::size_t first = text.find(open);
  if (first == std::string_view::npos) return {};
  text.remove_prefix(first + open.size());
  return text.substr(0, text.find(close));
}

bool is_element(std::string_view text, std::string_view name) {
  text = trimmed(text);
  return text.starts_with("<" + std::string(name) + ">") &&
         text.ends_with("</" + std::string(name) + ">");
}

// Texts that the program writes in a person's name are recognized by their beginning. A person may
// quote one; such a text has the origin "human".
void add_user_text(EntryList& entries, std::string_view text, bool is_human) {
  if (is_human) {
    entries.add(EntryKind::kPrompt, std::string(text));
    return;
  }
  if (text.starts_with("<command-name>") || text.starts_with("<command-message>")) {
    std::string command(trimmed(inside(text, "command-name")));
    const std::string_view arguments = trimmed(inside(text, "command-args"));
    if (!arguments.empty()) command.append(" ").append(arguments);
    entries.add(EntryKind::kPrompt, std::move(command));
  } else if (text.starts_with("<bash-input>")) {
    entries.add(EntryKind::kPrompt, "!" + std::string(trimmed(inside(text, "bash-input"))));
  } else if (text.starts_with("<local-command-stdout>") ||
             text.starts_with("<local-command-stderr>") || text.starts_with("<bash-stdout>")) {
    entries.add(EntryKind::kTaskEnd);
  } else if (text.starts_with("[Request interrupted by user")) {
    entries.add(EntryKind::kInterrupt);
  } else if (is_program_text(text)) {
    entries.add(EntryKind::kMeta);
  } else {
    entries.add(EntryKind::kPrompt, std::string(text));
  }
}

void add_tool_result(EntryList& entries, const json::value& block, const json::value& result) {
  TranscriptEntry& entry = entries.add(EntryKind::kToolResult, answer_text(result));
  if (entry.text.empty()) entry.text = content_text(member(block, "content"));
  entry.tool_call_id = text_of(member(block, "tool_use_id"));
  entry.is_error = is_true(member(block, "is_error"));
}

void add_user(EntryList& entries, const json::value& line) {
  const json::value& content = member(line, "message", "content");
  if (is_true(member(line, "isMeta")) || is_true(member(line, "isCompactSummary"))) {
    entries.add(EntryKind::kMeta);
    return;
  }
  const bool is_human = text_of(member(line, "origin", "kind")) == "human";
  if (content.is_string()) return add_user_text(entries, text_of(content), is_human);
  std::string text;
  bool has_image = false;
  for (const json::value& block : elements_of(content)) {
    const std::string_view type = text_of(member(block, "type"));
    if (type == "tool_result") add_tool_result(entries, block, member(line, "toolUseResult"));
    if (type == "image") has_image = true;
    if (type != "text") continue;
    if (!text.empty()) text += "\n";
    text += text_of(member(block, "text"));
  }
  if (!text.empty()) return add_user_text(entries, text, is_human);
  if (has_image) entries.add(EntryKind::kPrompt, "[image]");
}

bool ends_task(std::string_view stop_reason) {
  return !stop_reason.empty() && stop_reason != "tool_use" && stop_reason != "pause_turn";
}

void add_assistant(EntryList& entries, const json::value& line) {
  const json::value& message = member(line, "message");
  const bool is_failure = is_true(member(line, "isApiErrorMessage"));
  if (text_of(member(message, "model")) == "<synthetic>" && !is_failure) {
    entries.add(EntryKind::kMeta);  // a filler, such as "No response requested."
    return;
  }
  const bool is_last = is_failure || ends_task(text_of(member(message, "stop_reason")));
  const json::value& content = member(message, "content");
  if (content.is_string() && !text_of(content).empty())
    entries.add(EntryKind::kText, std::string(text_of(content))).ends_task = is_last;
  for (const json::value& block : elements_of(content)) {
    const std::string_view type = text_of(member(block, "type"));
    const std::string_view text = text_of(member(block, "text"));
    if (type == "text" && !trimmed(text).empty())
      entries.add(EntryKind::kText, std::string(text)).ends_task = is_last;
    if (type == "tool_use")
      add_tool_use(entries, text_of(member(block, "id")), text_of(member(block, "name")),
                   member(block, "input"));
  }
}

void add_system(EntryList& entries, const json::value& line) {
  const std::string_view subtype = text_of(member(line, "subtype"));
  if (subtype == "compact_boundary") entries.add(EntryKind::kCompaction);
  if (subtype == "turn_duration" || subtype == "local_command") entries.add(EntryKind::kTaskEnd);
}

// A prompt that was typed while the agent worked.
void add_attachment(EntryList& entries, const json::value& line) {
  const json::value& attachment = member(line, "attachment");
  if (text_of(member(attachment, "type")) != "queued_command") return;
  const std::string prompt = content_text(member(attachment, "prompt"));
  const std::string_view mode = text_of(member(attachment, "commandMode"));
  if (prompt.empty()) return;
  add_user_text(entries, prompt, mode == "prompt");
}

TranscriptLine title_line(EntryList& entries, std::string_view title) {
  if (!title.empty()) entries.add(EntryKind::kMeta, std::string(title));
  return entries.take();
}

}  // namespace

bool is_program_text(std::string_view text) {
  return is_element(text, "task-notification") || is_element(text, "system-reminder") ||
         is_element(text, "local-command-caveat");
}

TranscriptLine parse_claude_line(std::string_view text) {
  LineMemory memory;
  const std::optional<json::value> line = parse_line(text, memory.storage());
  if (!line) return {.entries = {}, .skipped = "not a JSON object"};
  const std::string_view type = text_of(member(*line, "type"));
  if (type.empty()) return {.entries = {}, .skipped = "the entry has no type"};
  TranscriptEntry common;
  common.id = text_of(member(*line, "uuid"));
  common.time = parse_time(text_of(member(*line, "timestamp")));
  common.prompt_id = text_of(member(*line, "promptId"));
  common.session_id = text_of(member(*line, "sessionId"));
  common.cwd = text_of(member(*line, "cwd"));
  common.is_sidechain = is_true(member(*line, "isSidechain"));
  const bool has_id = !common.id.empty();
  EntryList entries(std::move(common));
  if (type == "summary") return title_line(entries, text_of(member(*line, "summary")));
  if (type == "custom-title") return title_line(entries, text_of(member(*line, "customTitle")));
  const bool is_known =
      type == "user" || type == "assistant" || type == "system" || type == "attachment";
  if (!is_known) return entries.take();  // internal notes; versions add new types often
  if (!has_id) return {.entries = {}, .skipped = "the entry has no uuid"};
  if (type == "user") add_user(entries, *line);
  if (type == "assistant") add_assistant(entries, *line);
  if (type == "system") add_system(entries, *line);
  if (type == "attachment") add_attachment(entries, *line);
  return entries.take();
}

}  // namespace oriel
