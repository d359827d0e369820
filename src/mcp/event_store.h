#pragma once
// What the streams of MCP sessions have said and may have to say again, bounded in bytes.

#include "core/bytes.h"
#include "mcp/store_budget.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

struct StoredEvent {
  std::uint64_t counter = 0;  // of its event id: rises by one within a stream, from 1
  SharedBytes data;
};

enum class EventKind {
  kMessage,
  kResponse,  // not evicted for others' sake before it was sent
};

// What a stream has said after some event.
struct EventsAfter {
  bool is_purged = false;    // some of them are gone: `events` is empty
  std::uint64_t oldest = 0;  // counter of the oldest held; 0: none is
  std::uint64_t newest = 0;  // counter of the newest ever stored; 0: none was
  std::vector<StoredEvent> events;
};

// Lives on one shard, as the sessions that it stores for. The oldest events of all its streams go
// first when the budget is exceeded; a new one is always accepted.
class EventStore {
 public:
  explicit EventStore(StoreBudget& budget);

  // `counter` is one more than that of the stream's event before.
  void store(std::string_view session, std::string_view stream, std::uint64_t counter,
             SharedBytes data, EventKind kind);

  // Those after `counter`, oldest first: no more than `max_events`, and none once `max_bytes` are
  // reached. O(1) to find the first.
  EventsAfter events_after(std::string_view session, std::string_view stream, std::uint64_t counter,
                           std::size_t max_events, std::size_t max_bytes) const;

  // The stream's events up to this one have left: its response may be evicted like anything else.
  void mark_sent(std::string_view session, std::string_view stream, std::uint64_t counter);

  void clear_stream(std::string_view session, std::string_view stream);
  void clear_session(std::string_view session);

  // Evicts the oldest until the budget holds or nothing is left; for when another store needs room.
  void trim();
};

}  // namespace oriel
