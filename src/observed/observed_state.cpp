#include "observed/observed_state.h"

#include "base/text/json_document.h"
#include "base/text/json_text.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value_from.hpp>

namespace oriel {
namespace {

namespace json = boost::json;

json::value optional_time(const std::optional<WallTime>& time) {
  if (!time) return nullptr;
  return unix_milliseconds(*time);
}

json::object to_json(const ObservedTask& task) {
  return {{"task_id", task.task_id},
          {"prompt_id", task.prompt_id},
          {"command_turn_id", task.command_turn_id},
          {"last_text_turn_id", task.last_text_turn_id},
          {"opened_at", unix_milliseconds(task.opened_at)},
          {"has_entries", task.has_entries},
          {"has_work", task.has_work},
          {"asked_at", optional_time(task.asked_at)},
          {"done_at", optional_time(task.done_at)},
          {"is_done_by_transcript", task.is_done_by_transcript},
          {"is_cut", task.is_cut}};
}

ObservedTask read_task(const DocumentFields& fields) {
  return {.task_id = fields.text("task_id"),
          .prompt_id = fields.text("prompt_id"),
          .command_turn_id = fields.text("command_turn_id"),
          .last_text_turn_id = fields.text("last_text_turn_id"),
          .opened_at = fields.time("opened_at"),
          .has_entries = fields.flag("has_entries"),
          .has_work = fields.flag("has_work"),
          .asked_at = fields.time_or_none("asked_at"),
          .done_at = fields.time_or_none("done_at"),
          .is_done_by_transcript = fields.flag("is_done_by_transcript"),
          .is_cut = fields.flag("is_cut")};
}

json::object to_json(const ObservedTool& tool) {
  return {{"tool_call_id", tool.tool_call_id},
          {"tool_name", tool.tool_name},
          {"print", tool.fingerprint},
          {"task_id", tool.task_id},
          {"since", unix_milliseconds(tool.since)}};
}

ObservedTool read_tool(const DocumentFields& fields) {
  return {.tool_call_id = fields.text("tool_call_id"),
          .tool_name = fields.text("tool_name"),
          .fingerprint = fields.number("print"),
          .task_id = fields.text("task_id"),
          .since = fields.time("since")};
}

json::object to_json(const EndedTool& tool) {
  return {{"tool_call_id", tool.tool_call_id},
          {"print", tool.fingerprint},
          {"is_question", tool.is_question},
          {"at", unix_milliseconds(tool.at)}};
}

EndedTool read_ended_tool(const DocumentFields& fields) {
  return {.tool_call_id = fields.text("tool_call_id"),
          .fingerprint = fields.number("print"),
          .is_question = fields.flag("is_question"),
          .at = fields.time("at")};
}

json::object to_json(const OpenQuestion& question) {
  return {{"turn_id", question.turn_id},
          {"task_id", question.task_id},
          {"tool_call_id", question.tool_call_id},
          {"print", question.fingerprint},
          {"is_permission", question.is_permission}};
}

OpenQuestion read_question(const DocumentFields& fields) {
  return {.turn_id = fields.text("turn_id"),
          .task_id = fields.text("task_id"),
          .tool_call_id = fields.text("tool_call_id"),
          .fingerprint = fields.number("print"),
          .is_permission = fields.flag("is_permission")};
}

template <class Value>
json::array array_of(const std::vector<Value>& values) {
  json::array array;
  for (const Value& value : values)
    array.push_back(to_json(value));
  return array;
}

template <class Value>
std::vector<Value> read_all(const json::value& array, Value (*read)(const DocumentFields&)) {
  std::vector<Value> values;
  for (const json::value& item : array.as_array())
    values.push_back(read(DocumentFields(item)));
  return values;
}

void read_identity(const DocumentFields& fields, ObservedState& state) {
  state.session_id = fields.text("session_id");
  state.agent = fields.text("agent");
  state.native_ids = fields.texts("native_ids");
  state.project_id = fields.text("project_id");
  state.project_name = fields.text("project_name");
  state.cwd = fields.text("cwd");
  if (!fields.at("pid").is_null()) state.pid = fields.index("pid");
  state.created_at = fields.time("created_at");
  state.updated_at = fields.time("updated_at");
  state.active_at = fields.time("heard_at");
  state.last_index = fields.index("last_index");
}

void read_status(const DocumentFields& fields, ObservedState& state) {
  state.state = parse_work_state(fields.text("state")).value();
  state.is_created = fields.flag("is_created");
  state.is_imported = fields.flag("is_imported");
  state.ended_at = fields.time_or_none("ended_at");
  state.end_reason = fields.text("end_reason");
  state.status = parse_session_status(fields.text("status")).value();
  state.silence = parse_silence(fields.text("silence")).value_or(Silence::kIdle);
}

TranscriptProgress read_transcript(const DocumentFields& fields) {
  TranscriptProgress progress;
  progress.position = {.path = fields.text("transcript_path"),
                       .inode = fields.number("transcript_inode"),
                       .offset = fields.number("transcript_offset")};
  progress.wanted_path = fields.text("wanted_path");
  progress.last_entry_at = fields.time_or_none("last_entry_at");
  progress.last_entry_ids = fields.texts("last_entry_ids");
  progress.repeated_until = fields.time_or_none("copied_until");
  progress.repeated_ids = fields.texts("copied_ids");
  return progress;
}

TurnSummary read_turns(const DocumentFields& fields) {
  return {.count = fields.number("turns"),
          .newest_task_id = fields.text("task_id"),
          .title = fields.text("title"),
          .last_text = fields.text("last_text"),
          .next_ordinal = fields.number("next_ordinal"),
          .last_entry_ordinal = fields.number("last_entry_ordinal")};
}

void read_work(const DocumentFields& fields, ObservedState& state) {
  state.transcript = read_transcript(fields);
  state.tasks = {read_all<ObservedTask>(fields.at("tasks"), read_task),
                 fields.texts("closed_prompts")};
  state.tools = {read_all<ObservedTool>(fields.at("tools"), read_tool),
                 read_all<EndedTool>(fields.at("ended_tools"), read_ended_tool)};
  state.questions = OpenQuestions(read_all<OpenQuestion>(fields.at("questions"), read_question));
  state.turns = read_turns(fields);
  state.reconciler = read_reconciler_state(fields.at("waiting"));
}

}  // namespace

std::string observed_document_key(std::string_view session_id) {
  return "observed/" + std::string(session_id);
}

std::string to_document(const ObservedState& state) {
  json::object object = {{"session_id", state.session_id},
                         {"agent", state.agent},
                         {"native_ids", json::value_from(state.native_ids)},
                         {"project_id", state.project_id},
                         {"project_name", state.project_name},
                         {"cwd", state.cwd},
                         {"title", state.turns.title},
                         {"pid", nullptr},
                         {"created_at", unix_milliseconds(state.created_at)},
                         {"updated_at", unix_milliseconds(state.updated_at)},
                         {"heard_at", unix_milliseconds(state.active_at)},
                         {"last_index", state.last_index},
                         {"state", name_of(state.state)},
                         {"is_created", state.is_created},
                         {"is_imported", state.is_imported},
                         {"ended_at", optional_time(state.ended_at)},
                         {"end_reason", state.end_reason},
                         {"status", name_of(state.status)},
                         {"silence", name_of(state.silence)},
                         {"last_text", state.turns.last_text},
                         {"task_id", state.turns.newest_task_id},
                         {"turns", state.turns.count},
                         {"transcript_path", state.transcript.position.path},
                         {"transcript_inode", state.transcript.position.inode},
                         {"transcript_offset", state.transcript.position.offset},
                         {"wanted_path", state.transcript.wanted_path},
                         {"last_entry_at", optional_time(state.transcript.last_entry_at)},
                         {"last_entry_ids", json::value_from(state.transcript.last_entry_ids)},
                         {"copied_until", optional_time(state.transcript.repeated_until)},
                         {"copied_ids", json::value_from(state.transcript.repeated_ids)},
                         {"next_ordinal", state.turns.next_ordinal},
                         {"last_entry_ordinal", state.turns.last_entry_ordinal},
                         {"tasks", array_of(state.tasks.all())},
                         {"closed_prompts", json::value_from(state.tasks.closed_prompts())},
                         {"tools", array_of(state.tools.running())},
                         {"ended_tools", array_of(state.tools.ended())},
                         {"questions", array_of(state.questions.all())},
                         {"waiting", to_json(state.reconciler)}};
  if (state.pid) object["pid"] = *state.pid;
  return json_text(object);
}

Result<ObservedState> parse_observed_document(std::string_view text) {
  try {
    const json::value document = json::parse(text);
    const DocumentFields fields(document);
    ObservedState state;
    read_identity(fields, state);
    read_status(fields, state);
    read_work(fields, state);
    return state;
  } catch (const std::exception& failure) {
    return Error{
        .kind = ErrorKind::kBadDocument,
        .message = std::string("not an observed agent's document: ") + failure.what(),
        .hint = "another version of Oriel may have written it; its events and turns are kept"};
  }
}

}  // namespace oriel
