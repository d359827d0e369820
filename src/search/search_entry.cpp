#include "search/search_entry.h"

#include "base/enum_names.h"
#include "base/event/event_json.h"
#include "base/text/utf8.h"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <array>

namespace oriel {
namespace {

namespace json = boost::json;

// Bytes of one event's text that are indexed.
constexpr std::size_t kMaxMessage = 32 << 10;
constexpr std::size_t kMaxTool = 4 << 10;      // of a call's arguments, of a result, of an error
constexpr std::size_t kMaxArgument = 1 << 10;  // so that a long one leaves room for others

constexpr std::array<std::string_view, 5> kKindNames = {"message", "tool_call", "tool_result",
                                                        "error", "title"};

void append_line(std::string& out, std::string_view line, std::size_t max_bytes) {
  if (line.empty() || out.size() >= max_bytes) return;
  if (!out.empty()) out += '\n';
  out += first_bytes(line, std::min(kMaxArgument, max_bytes - std::min(out.size(), max_bytes)));
}

// The texts in arguments, such as commands and paths, without their keys.
void append_texts(std::string& out, const json::value& value) {
  if (const auto* const text = value.if_string()) {
    append_line(out, *text, kMaxTool);
  } else if (const auto* const list = value.if_array()) {
    for (const json::value& element : *list)
      append_texts(out, element);
  } else if (const auto* const object = value.if_object()) {
    for (const auto& [key, element] : *object)
      append_texts(out, element);
  }
}

std::string call_text(const event::ToolCall& call) {
  std::string text = call.name;
  boost::system::error_code problem;
  const json::value input = json::parse(call.input, problem);
  if (problem)
    append_line(text, call.input, kMaxTool);
  else
    append_texts(text, input);
  return text;
}

std::string turn_text(const Turn& turn) {
  std::string text(first_bytes(turn.text, kMaxMessage));
  for (const TurnFile& file : turn.files)
    text += (text.empty() ? "" : "\n") + file.name;
  return text;
}

SearchEntry entry_of(const Record& record, const SessionEvent& event) {
  return {.sequence = record.sequence,
          .index = static_cast<std::int64_t>(record.index),
          .session_id = record.session_id,
          .time = record.time,
          .task_id = event.task_id};
}

// None: it has no text.
std::optional<SearchEntry> with_text(SearchEntry entry, std::string_view text,
                                     std::size_t max_bytes) {
  entry.text = searchable(text, max_bytes);
  if (entry.text.empty()) return std::nullopt;
  return entry;
}

std::optional<SearchEntry> with_turn(SearchEntry entry, const Turn& turn) {
  entry.time = turn.timestamp;
  entry.actor = turn.actor;
  entry.task_id = turn.task_id;
  entry.turn_id = turn.turn_id;
  return with_text(std::move(entry), turn_text(turn), 2 * kMaxMessage);
}

std::optional<IndexChange> change_of(std::optional<SearchEntry> entry) {
  if (!entry) return std::nullopt;
  return *std::move(entry);
}

std::optional<IndexChange> change_of(const event::TurnCreated& created, SearchEntry entry) {
  if (created.message_index) entry.index = *created.message_index;
  return change_of(with_turn(std::move(entry), created.turn));
}

std::optional<IndexChange> change_of(const event::TurnUpdated& updated, SearchEntry entry) {
  ReplacedTurn replaced{
      .session_id = entry.session_id, .turn_id = updated.turn.turn_id, .entry = {}};
  if (updated.change == TurnChange::kWithdrawn) return replaced;
  if (updated.change != TurnChange::kText) return std::nullopt;
  replaced.entry = with_turn(std::move(entry), updated.turn);
  return replaced;
}

std::optional<IndexChange> change_of(const event::ToolCall& call, SearchEntry entry) {
  entry.kind = SearchKind::kToolCall;
  entry.tool_name = call.name;
  entry.tool_call_id = call.id;
  return change_of(with_text(std::move(entry), call_text(call), kMaxTool));
}

std::optional<IndexChange> change_of(const event::ToolResult& result, SearchEntry entry) {
  entry.kind = SearchKind::kToolResult;
  entry.tool_name = result.name;
  entry.tool_call_id = result.id;
  return change_of(with_text(std::move(entry), result.output, kMaxTool));
}

std::optional<IndexChange> change_of(const event::TaskError& error, SearchEntry entry) {
  entry.kind = SearchKind::kError;
  return change_of(with_text(std::move(entry), error.message, kMaxTool));
}

template <class Payload>
std::optional<IndexChange> change_of(const Payload&, const SearchEntry&) {
  return std::nullopt;
}

}  // namespace

// Control characters mark the words that were found (search/snippet.h).
std::string searchable(std::string_view text, std::size_t max_bytes) {
  std::string out(first_bytes(text, max_bytes));
  for (char& c : out) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f) c = ' ';
  }
  return out;
}

std::string_view name_of(SearchKind kind) {
  return name_in(kKindNames, kind);
}

std::optional<SearchKind> parse_search_kind(std::string_view name) {
  return find_name<SearchKind>(kKindNames, name);
}

const std::vector<std::string>& searched_event_types() {
  static const std::vector<std::string> kTypes = {
      std::string(event::TurnCreated::kFeedType), std::string(event::TurnUpdated::kFeedType),
      std::string(name_of(EventType::kToolCall)), std::string(name_of(EventType::kToolResult)),
      std::string(name_of(EventType::kError)),    std::string(event::SessionImported::kFeedType)};
  return kTypes;
}

std::optional<IndexChange> index_change_of(const Record& record) {
  if (record.session_id.empty()) return std::nullopt;
  const SessionEvent event = parse_event(record);
  SearchEntry entry = entry_of(record, event);
  return std::visit([&](const auto& payload) { return change_of(payload, std::move(entry)); },
                    event.payload);
}

bool announces_import(const Record& record) {
  return record.type == event::SessionImported::kFeedType && !record.session_id.empty();
}

std::optional<SearchEntry> entry_of_imported(const Turn& turn) {
  if (turn.source != TurnSource::kImport) return std::nullopt;
  SearchEntry entry;
  entry.session_id = turn.session_id;
  return with_turn(std::move(entry), turn);
}

}  // namespace oriel
