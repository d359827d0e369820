#pragma once
// What the clients of a verified server have seen. Plain values, collected while it runs and judged
// at the end.

#include "base/sequence.h"
#include "client/sse_parser.h"

#include <boost/json/object.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// Stands for the text of an event, within this process.
using Digest = std::uint64_t;
Digest digest_of(std::string_view text);
Digest digest_of(const boost::json::object& event);

// An event that `oriel verify` publishes: its publisher, and its number there.
struct EventNumber {
  unsigned publisher = 0;
  std::uint64_t number = 0;

  auto operator<=>(const EventNumber&) const = default;
};

// The body of its POST /api/events, with `padding` bytes of text.
std::string numbered_event_body(const EventNumber& number, std::size_t padding);

struct AcknowledgedEvent {
  EventNumber number;
  Sequence sequence = kNoSequence;
};

struct AcknowledgedMessage {
  std::string session_id;
  std::string task_id;
};

// The acknowledgements that clients received.
struct Ledger {
  std::vector<AcknowledgedEvent> events;
  std::vector<AcknowledgedMessage> messages;
  std::vector<EventNumber> refused =
      {};  // events of which the server said that they are not stored
};

// An event as the journal holds it.
struct JournalEvent {
  Sequence sequence = kNoSequence;
  Digest digest = 0;
  std::optional<EventNumber> number = {};  // of an event that `oriel verify` published
  std::string session_id = {};             // of a hosted session, else empty
  std::string task_id = {};
  std::string request_id = {};  // of a message of a user
  std::int64_t index = 0;       // in the session
  Digest session_digest = 0;    // as polling returns it
};

// None for hello, gap and bye, which are not in the journal.
std::optional<JournalEvent> read_journal_event(const SseEvent& event);

struct Delivery {
  Sequence sequence = kNoSequence;
  Digest digest = 0;

  bool operator==(const Delivery&) const = default;
};

struct AnnouncedGap {
  std::size_t position = 0;  // deliveries before it
  std::optional<std::uint64_t> missed;
};

// What a watcher received, in this order.
struct WatchLog {
  std::string watcher;
  std::vector<Delivery> deliveries;
  std::vector<AnnouncedGap> gaps;

  Sequence last() const { return deliveries.empty() ? kNoSequence : deliveries.back().sequence; }
};

// Adds what a `notifications/message` of MCP says. Digests are indexes.
void note_push(WatchLog& log, const boost::json::object& message);

// Without the events after `until`, and with the gaps after them at the end.
void keep_until(WatchLog& log, Sequence until);

// Adds what an event of GET /api/events says.
void note_event(WatchLog& log, const SseEvent& event);

// The sequence in an id such as 1042-k7q2mzx4; none if it has none.
std::optional<Sequence> sequence_in(std::string_view id);

struct PolledEvent {
  std::int64_t index = 0;
  Digest digest = 0;
  std::string ended_task = {};   // of a completion, else empty
  bool was_interrupted = false;  // the completion says that the server, or its node, was lost
};

PolledEvent read_polled_event(const boost::json::object& event);

// A session's events as polling returned them, in this order.
struct PolledSession {
  std::string session_id;
  std::vector<PolledEvent> events;

  std::int64_t last_index() const { return events.empty() ? -1 : events.back().index; }
};

}  // namespace oriel
