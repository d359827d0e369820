#pragma once
// A turn: one utterance of a person or an agent, the unit in which conversations are shown,
// corrected and paged. Project -> agent (= session, hosted or observed) -> task -> turn. Values
// only; every turn is a document, and events report it (base/turn_event.h).

#include "base/error.h"
#include "base/event/turn_data.h"
#include "base/time.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

enum class TurnActor { kUser, kAgent };

enum class TurnIntent { kCommand, kAnswer, kQuestion, kProgress, kCompletion, kEndOfTask };

// The origin of a turn.
enum class TurnSource { kMessage, kHook, kVoice, kUpload, kReconciliation, kImport };

// The clock of its timestamp: Oriel's, the transcript's, or that of the person's device.
enum class TimestampSource { kServer, kTranscript, kUser };

// What an update of a turn has changed.
enum class TurnChange { kTimestampCorrection, kIntent, kTask, kText, kAnswered, kWithdrawn };

std::string_view name_of(TurnActor actor);         // "user", "agent"
std::string_view name_of(TurnIntent intent);       // "command", ..., "end_of_task"
std::string_view name_of(TurnSource source);       // "message", ...
std::string_view name_of(TimestampSource source);  // "server", "transcript", "user"
std::string_view name_of(TurnChange change);       // "timestamp_correction", ...
std::optional<TurnActor> parse_turn_actor(std::string_view name);
std::optional<TurnIntent> parse_turn_intent(std::string_view name);
std::optional<TurnSource> parse_turn_source(std::string_view name);
std::optional<TimestampSource> parse_timestamp_source(std::string_view name);
std::optional<TurnChange> parse_turn_change(std::string_view name);

// A file that came with a turn.
struct TurnFile {
  std::string file_id;
  std::string name;  // as it is shown
  std::string type;  // media type
  std::uint64_t size = 0;

  bool operator==(const TurnFile&) const = default;
};

// The origin of a message that was spoken or sent with files.
struct TurnOrigin {
  TurnSource source = TurnSource::kVoice;
  std::optional<WallTime> said_at;  // by the sender's clock; none: the time of arrival
  std::vector<TurnFile> files;

  bool operator==(const TurnOrigin&) const = default;
};

// Orders the turns of a session: by time, and within one millisecond by number.
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
  std::string entry_id;       // of its entry in the transcript; empty: none is known
  std::uint64_t ordinal = 0;  // unique in its session
  std::vector<TurnFile> files;
  TurnData data;

  TurnKey key() const { return {.timestamp = timestamp, .ordinal = ordinal}; }

  bool operator==(const Turn&) const = default;
};

// Whether it is an open question.
bool is_open_question(const Turn& turn);

// "turn_" and "task_" with a random rest.
std::string new_turn_id();
std::string new_task_id();

// As endpoints return it. `actor`, `intent`, `timestamp` (RFC 3339), `cursor` (its key), ...
boost::json::object to_json(const Turn& turn);
boost::json::array to_json(const std::vector<TurnFile>& files);

// The key of its document, "turns/<session_id>/<turn_id>", and the prefix for all turns of a
// session.
std::string turn_document_key(std::string_view session_id, std::string_view turn_id);
std::string turn_document_prefix(std::string_view session_id);

// As JSON text, and back. An error means that the text is not a turn's document.
std::string to_document(const Turn& turn);
Result<Turn> parse_turn_document(std::string_view text);

// A key as a cursor for paging: "1794777567042-17".
std::string format_turn_key(const TurnKey& key);
Result<TurnKey> parse_turn_key(std::string_view text);

}  // namespace oriel
