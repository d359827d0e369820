#pragma once
// What of an event can be searched. Pure.

#include "base/event/record.h"
#include "base/event/turn.h"
#include "base/sequence.h"
#include "base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace oriel {

enum class SearchKind { kMessage, kToolCall, kToolResult, kError, kTitle };

std::string_view name_of(SearchKind kind);  // "message", "tool_call", ..., "title"
std::optional<SearchKind> parse_search_kind(std::string_view name);

// The beginning of the text, with a space for each control character other than \n and \t.
std::string searchable(std::string_view text, std::size_t max_bytes);

struct SearchEntry {
  Sequence sequence = kNoSequence;  // kNoSequence: of an imported turn, which has no event
  std::int64_t index = -1;          // of the event that shows it; -1: there is none
  std::string session_id = {};
  WallTime time = {};
  SearchKind kind = SearchKind::kMessage;
  std::optional<TurnActor> actor = {};  // of a message
  std::string task_id = {};
  std::string turn_id = {};
  std::string tool_name = {};
  std::string tool_call_id = {};
  std::string text = {};  // bounded; without control characters other than \n and \t

  bool operator==(const SearchEntry&) const = default;
};

// A turn's text has changed, or the turn was withdrawn (no entry).
struct ReplacedTurn {
  std::string session_id;
  std::string turn_id;
  std::optional<SearchEntry> entry;

  bool operator==(const ReplacedTurn&) const = default;
};

using IndexChange = std::variant<SearchEntry, ReplacedTurn>;

// The events that the index needs, as EventFilter::types. Messages and deltas are not among them:
// each utterance is a turn once it is complete.
const std::vector<std::string>& searched_event_types();

// None: the event has nothing to be found.
std::optional<IndexChange> index_change_of(const Record& record);

// Whether turns of its session were imported, which have no events.
bool announces_import(const Record& record);

// None if the turn was not imported: then an event has its text.
std::optional<SearchEntry> entry_of_imported(const Turn& turn);

}  // namespace oriel
