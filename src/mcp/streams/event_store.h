#pragma once
// What the streams of MCP sessions have said and may have to say again, bounded in bytes.

#include "mcp/streams/store_budget.h"

#include <boost/circular_buffer.hpp>
#include <boost/intrusive/list.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace oriel::mcp {

struct StoredEvent {
  std::uint64_t counter = 0;  // of its event id: rises by one within a stream, from 1
  SharedMessage message;
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

class EventStore;

// What one stream has said. Owned by its store, on whose shard it lives. What it knows of its
// counters outlives its events.
class StreamLog {
 public:
  explicit StreamLog(EventStore& store) : store_(store) {}

  StreamLog(const StreamLog&) = delete;
  StreamLog& operator=(const StreamLog&) = delete;

  // `counter` is one more than that of the event before; `message` is of budget.hold().
  void append(std::uint64_t counter, SharedMessage message, EventKind kind);

  // Those after `counter`, oldest first: no more than `max_events`, and none once `max_bytes` are
  // reached. O(1) to find the first.
  EventsAfter events_after(std::uint64_t counter, std::size_t max_events,
                           std::size_t max_bytes) const;

  // All up to this one have left: a response among them may be evicted like anything else.
  void mark_sent(std::uint64_t counter);

 private:
  friend class EventStore;

  // A place in the order of age. Owned by its log; leaves list and budget when it dies.
  struct Event : boost::intrusive::list_base_hook<
                     boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
    Event(StoreBudget& budget, StreamLog& log, std::uint64_t counter);
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event();

    static constexpr std::size_t cost();  // beside the message
    void pin(const Message& message);
    void unpin();

    StoreBudget& budget;
    StreamLog& log;
    std::uint64_t counter;
    std::size_t pinned = 0;  // bytes of a response that was not yet sent
    bool is_passed = false;  // in the store's passed_
  };

  // The message is here and not in its event, so that a replay reads one row of memory.
  struct Slot {
    std::unique_ptr<Event> event;
    SharedMessage message;
  };

  // Null if it is gone, or never was.
  Event* find(std::uint64_t counter) const;
  void remove(std::uint64_t counter);

  EventStore& store_;
  std::uint64_t newest_ = 0;
  std::uint64_t purged_ = 0;  // the newest that is gone
  std::uint64_t sent_ = 0;
  // By counter without gaps; empty where one went before an older one. The first is never empty.
  boost::circular_buffer<Slot> slots_;
  std::uint64_t first_ = 0;  // the counter of slots_[0]
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

  // Makes it if it is unknown; it stays where it is until it is cleared.
  StreamLog& open(std::string_view session, std::string_view stream);

  // Null if it is unknown.
  const StreamLog* find(std::string_view session, std::string_view stream) const;

  void clear_stream(std::string_view session, std::string_view stream);
  void clear_session(std::string_view session);

  // Evicts the oldest until the budget holds or nothing is left that may go; for when another store
  // needs room.
  void trim();

 private:
  friend class StreamLog;

  using Event = StreamLog::Event;
  using EventList = boost::intrusive::list<Event, boost::intrusive::constant_time_size<false>>;

  struct Hash {
    using is_transparent = void;  // NOLINT(readability-identifier-naming): the library's word

    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  template <class Value>
  using ByName = std::unordered_map<std::string, Value, Hash, std::equal_to<>>;

  void make_room(const Event* kept);

  StoreBudget& budget_;
  EventList by_age_;
  EventList passed_;  // pinned and older than all of by_age_, by age
  ByName<ByName<StreamLog>> sessions_;
};

}  // namespace oriel::mcp
