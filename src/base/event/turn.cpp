#include "base/event/turn.h"

#include "base/enum_names.h"
#include "base/id.h"
#include "base/text/json_document.h"
#include "base/text/json_text.h"
#include "base/text/line_memory.h"
#include "base/text/quote.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>

#include <charconv>
#include <utility>
#include <variant>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 2> kActors = {"user", "agent"};
constexpr std::array<std::string_view, 6> kIntents = {"command",  "answer",     "question",
                                                      "progress", "completion", "end_of_task"};
constexpr std::array<std::string_view, 6> kSources = {"message", "hook",           "voice",
                                                      "upload",  "reconciliation", "import"};
constexpr std::array<std::string_view, 3> kTimestampSources = {"server", "transcript", "user"};
constexpr std::array<std::string_view, 6> kChanges = {
    "timestamp_correction", "intent", "task", "text", "answered", "withdrawn"};

Turn read_turn(const json::value& document) {
  const DocumentFields fields(document);
  Turn turn;
  turn.turn_id = fields.text("turn_id");
  turn.session_id = fields.text("session_id");
  turn.project_id = fields.text("project_id");
  turn.task_id = fields.text("task_id");
  turn.actor = parse_turn_actor(fields.text("actor")).value();
  turn.intent = parse_turn_intent(fields.text("intent")).value();
  turn.text = fields.text("text");
  turn.timestamp = fields.time("timestamp");
  turn.timestamp_source = parse_timestamp_source(fields.text("timestamp_source")).value();
  turn.source = parse_turn_source(fields.text("source")).value();
  turn.entry_id = fields.text("entry_id");
  turn.ordinal = fields.number("ordinal");
  for (const json::value& item : fields.array("files")) {
    const DocumentFields file(item);
    turn.files.push_back({.file_id = file.text("file_id"),
                          .name = file.text("name"),
                          .type = file.text("type"),
                          .size = file.number("size")});
  }
  turn.data = parse_turn_data(fields.at("data").as_object());
  return turn;
}

template <class Number>
std::optional<Number> parse_whole(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc{} || stop != end) return std::nullopt;
  return number;
}

}  // namespace

std::string_view name_of(TurnActor actor) {
  return name_in(kActors, actor);
}

std::string_view name_of(TurnIntent intent) {
  return name_in(kIntents, intent);
}

std::string_view name_of(TurnSource source) {
  return name_in(kSources, source);
}

std::string_view name_of(TimestampSource source) {
  return name_in(kTimestampSources, source);
}

std::optional<TurnActor> parse_turn_actor(std::string_view name) {
  return find_name<TurnActor>(kActors, name);
}

std::optional<TurnIntent> parse_turn_intent(std::string_view name) {
  return find_name<TurnIntent>(kIntents, name);
}

std::optional<TurnSource> parse_turn_source(std::string_view name) {
  return find_name<TurnSource>(kSources, name);
}

std::optional<TimestampSource> parse_timestamp_source(std::string_view name) {
  return find_name<TimestampSource>(kTimestampSources, name);
}

std::string_view name_of(TurnChange change) {
  return name_in(kChanges, change);
}

std::optional<TurnChange> parse_turn_change(std::string_view name) {
  return find_name<TurnChange>(kChanges, name);
}

bool is_open_question(const Turn& turn) {
  const bool has_status = !std::holds_alternative<std::monostate>(turn.data);
  return turn.intent == TurnIntent::kQuestion && (!has_status || is_pending(turn.data));
}

std::string new_turn_id() {
  return "turn_" + random_id();
}

std::string new_task_id() {
  return "task_" + random_id();
}

json::array to_json(const std::vector<TurnFile>& files) {
  json::array array;
  for (const TurnFile& file : files)
    array.push_back(
        {{"file_id", file.file_id}, {"name", file.name}, {"type", file.type}, {"size", file.size}});
  return array;
}

json::object to_json(const Turn& turn) {
  json::object object = {{"turn_id", turn.turn_id},
                         {"agent_id", turn.session_id},
                         {"session_id", turn.session_id},
                         {"project_id", turn.project_id},
                         {"task_id", turn.task_id},
                         {"actor", name_of(turn.actor)},
                         {"intent", name_of(turn.intent)},
                         {"text", turn.text},
                         {"timestamp", format_time(turn.timestamp)},
                         {"timestamp_source", name_of(turn.timestamp_source)},
                         {"source", name_of(turn.source)},
                         {"entry_id", turn.entry_id},
                         {"ordinal", turn.ordinal},
                         {"cursor", format_turn_key(turn.key())},
                         {"files", to_json(turn.files)}};
  if (json::object data = to_json(turn.data); !data.empty()) object["data"] = std::move(data);
  return object;
}

std::string turn_document_prefix(std::string_view session_id) {
  return "turns/" + std::string(session_id) + "/";
}

std::string turn_document_key(std::string_view session_id, std::string_view turn_id) {
  return turn_document_prefix(session_id) + std::string(turn_id);
}

std::string to_document(const Turn& turn) {
  LineMemory memory;
  const json::object object({{"turn_id", turn.turn_id},
                             {"session_id", turn.session_id},
                             {"project_id", turn.project_id},
                             {"task_id", turn.task_id},
                             {"actor", name_of(turn.actor)},
                             {"intent", name_of(turn.intent)},
                             {"text", turn.text},
                             {"timestamp", turn.timestamp.time_since_epoch().count()},
                             {"timestamp_source", name_of(turn.timestamp_source)},
                             {"source", name_of(turn.source)},
                             {"entry_id", turn.entry_id},
                             {"ordinal", turn.ordinal},
                             {"files", to_json(turn.files)},
                             {"data", to_json(turn.data)}},
                            memory.storage());
  return json_text(object);
}

Result<Turn> parse_turn_document(std::string_view text) {
  json::parse_options options;
  options.max_depth = 160;  // what a tool was given is a part of it
  try {
    return read_turn(json::parse(text, {}, options));
  } catch (const std::exception& failure) {
    return Error{.kind = ErrorKind::kBadDocument,
                 .message = std::string("not a turn's document: ") + failure.what(),
                 .hint = "another version of Oriel may have written it; its events are kept"};
  }
}

std::string format_turn_key(const TurnKey& key) {
  return std::to_string(key.timestamp.time_since_epoch().count()) + "-" +
         std::to_string(key.ordinal);
}

Result<TurnKey> parse_turn_key(std::string_view text) {
  const std::size_t dash = text.rfind('-');
  if (dash != std::string_view::npos) {
    const auto milliseconds = parse_whole<std::int64_t>(text.substr(0, dash));
    const auto ordinal = parse_whole<std::uint64_t>(text.substr(dash + 1));
    const auto timestamp = milliseconds ? wall_time(*milliseconds) : std::nullopt;
    if (timestamp && ordinal) return TurnKey{.timestamp = *timestamp, .ordinal = *ordinal};
  }
  return Error{.kind = ErrorKind::kInvalidCursor,
               .message = quote(text) + " is not a cursor of a turn",
               .hint = "send the `cursor` of a turn, such as 1794777567042-17"};
}

}  // namespace oriel
