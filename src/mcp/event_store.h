#pragma once
// What the streams of MCP sessions have said and may have to say again, bounded in bytes.

#include "core/bytes.h"
#include "mcp/store_budget.h"

#include <boost/circular_buffer.hpp>
#include <boost/intrusive/list.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
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
// first when the budget is exceeded; a new one is always accepted. A response that was not yet sent
// is passed over, until all such responses alone exceed the budget: then the oldest of them goes.
class EventStore {
 public:
  // `budget` outlives the store.
  explicit EventStore(StoreBudget& budget);
  EventStore(const EventStore&) = delete;
  EventStore& operator=(const EventStore&) = delete;
  ~EventStore();

  // `counter` is one more than that of the stream's event before; `data` is of budget.hold().
  void store(std::string_view session, std::string_view stream, std::uint64_t counter,
             SharedBytes data, EventKind kind);

  // Those after `counter`, oldest first: no more than `max_events`, and none once `max_bytes` are
  // reached. O(1) to find the first. An unknown stream has none, and newest 0.
  EventsAfter events_after(std::string_view session, std::string_view stream, std::uint64_t counter,
                           std::size_t max_events, std::size_t max_bytes) const;

  // The stream's events up to this one have left: its response may be evicted like anything else.
  void mark_sent(std::string_view session, std::string_view stream, std::uint64_t counter);

  void clear_stream(std::string_view session, std::string_view stream);
  void clear_session(std::string_view session);

  // Evicts the oldest until the budget holds or nothing is left that may go; for when another store
  // needs room.
  void trim();

 private:
  struct Stream;

  // Owned by its stream, linked by age; leaves list and budget when it dies.
  struct Event : boost::intrusive::list_base_hook<
                     boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
    Event(StoreBudget& budget, Stream& stream, std::uint64_t counter, SharedBytes data);
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event();

    void pin();
    void unpin();

    StoreBudget& budget;
    Stream& stream;
    std::uint64_t counter;
    SharedBytes data;
    bool is_pinned = false;  // a response that was not yet sent
    bool is_passed = false;  // in passed_
  };

  using EventList = boost::intrusive::list<Event, boost::intrusive::constant_time_size<false>>;

  // What it knows of its counters outlives its events.
  struct Stream {
    // In place of `counter`; null if it is gone, or never was.
    Event* find(std::uint64_t counter) const;
    void append(std::unique_ptr<Event> event);
    void remove(std::uint64_t counter);

    std::uint64_t newest = 0;
    std::uint64_t purged = 0;  // the newest that is gone
    std::uint64_t sent = 0;
    // By counter without gaps; null where one went before an older one. The first is never null.
    boost::circular_buffer<std::unique_ptr<Event>> events;
    std::uint64_t first = 0;  // the counter of events[0]
  };

  struct Hash {
    using is_transparent = void;

    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  template <class Value>
  using ByName = std::unordered_map<std::string, Value, Hash, std::equal_to<>>;

  // Null if it is unknown.
  Stream* find(std::string_view session, std::string_view stream);
  const Stream* find(std::string_view session, std::string_view stream) const;
  Stream& find_or_add(std::string_view session, std::string_view stream);
  void make_room(const Event* kept);

  StoreBudget& budget_;
  EventList by_age_;
  EventList passed_;  // pinned and older than all of by_age_, by age
  ByName<ByName<Stream>> sessions_;
};

}  // namespace oriel
