#pragma once
// A turn: one thing that a person or an agent said, the smallest piece of a conversation that is
// shown, corrected and paged by itself. Project -> agent (= session, hosted or observed) -> task ->
// turn. Values only; every turn is a document, and events tell of it (base/turn_event.h).

#include "base/error.h"
#include "base/time.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

enum class TurnActor { kUser, kAgent };

enum class TurnIntent { kCommand, kAnswer, kQuestion, kProgress, kCompletion, kEndOfTask };

// Where a turn was first heard of.
enum class TurnSource { kMessage, kHook, kVoice, kUpload, kReconciliation, kImport };

// Whose clock its time is of: ours, the transcript's, or that of the person's device.
enum class TimestampSource { kServer, kTranscript, kUser };

std::string_view name_of(TurnActor actor);         // "user", "agent"
std::string_view name_of(TurnIntent intent);       // "command", ..., "end_of_task"
std::string_view name_of(TurnSource source);       // "message", ...
std::string_view name_of(TimestampSource source);  // "server", "transcript", "user"
std::optional<TurnActor> parse_turn_actor(std::string_view name);
std::optional<TurnIntent> parse_turn_intent(std::string_view name);
std::optional<TurnSource> parse_turn_source(std::string_view name);
std::optional<TimestampSource> parse_timestamp_source(std::string_view name);

// A file that came with a turn.
struct TurnFile {
  std::string file_id;
  std::string name;  // as it is shown
  std::string type;  // media type
  std::uint64_t size = 0;

  bool operator==(const TurnFile&) const = default;
};

// The place of a turn in its session: by time, and within one millisecond by number.
struct TurnKey {
  WallTime timestamp;
  std::uint64_t ordinal = 0;

  auto operator<=>(const TurnKey&) const = default;
};

struct Turn {
  std::string turn_id;
  std::string session_id;  // the agent's id, too
  std::string project_id;
  std::string task_id;
  TurnActor actor = TurnActor::kUser;
  TurnIntent intent = TurnIntent::kCommand;
  std::string text;
  WallTime timestamp;
  TimestampSource timestamp_source = TimestampSource::kServer;
  TurnSource source = TurnSource::kMessage;
  std::string entry_id;       // of the transcript's entry that it is bound to; empty: of none yet
  std::uint64_t ordinal = 0;  // unique in its session
  std::vector<TurnFile> files;
  boost::json::object data;  // of a question: tool_name, input, questions, status; else empty

  TurnKey key() const { return {.timestamp = timestamp, .ordinal = ordinal}; }

  bool operator==(const Turn&) const = default;
};

// "turn_" and "task_" with a random rest.
std::string new_turn_id();
std::string new_task_id();

// As endpoints return it. `actor`, `intent`, `timestamp` (RFC 3339), `cursor` (its key), ...
boost::json::object to_json(const Turn& turn);
boost::json::array to_json(const std::vector<TurnFile>& files);

// Where its document is: "turns/<session_id>/<turn_id>"; and the prefix of all of a session.
std::string turn_document_key(std::string_view session_id, std::string_view turn_id);
std::string turn_document_prefix(std::string_view session_id);

// As JSON text, and back. An error means that the text is not a turn's document.
std::string to_document(const Turn& turn);
Result<Turn> parse_turn_document(std::string_view text);

// A key as a cursor for paging: "1794777567042-17".
std::string format_turn_key(const TurnKey& key);
Result<TurnKey> parse_turn_key(std::string_view text);

}  // namespace oriel
