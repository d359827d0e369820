#pragma once
// The messages of MCP streams, kept for replay and bounded in bytes.

#include "mcp/streams/store_budget.h"

#include <boost/circular_buffer.hpp>
#include <boost/intrusive/list.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace oriel::mcp {

struct StoredEvent {
  std::uint64_t counter = 0;   // in its event id; per stream, from 1
  std::uint64_t position = 0;  // in the stream's source, as given to append()
  SharedMessage message;
};

enum class EventKind {
  kMessage,
  kResponse,  // not evicted for other events before it was sent
};

// The events of a stream after a given one.
struct EventsAfter {
  bool is_purged = false;    // some were evicted; `events` is empty
  std::uint64_t oldest = 0;  // counter of the oldest held; 0: none
  std::uint64_t newest = 0;  // counter of the newest ever stored; 0: none
  std::vector<StoredEvent> events;
};

class EventStore;

// The events of one stream, which owns it, on the shard of its store; that outlives it. Keeps its
// counters after its events are evicted.
class StreamLog {
 public:
  explicit StreamLog(EventStore& store) : store_(store) {}

  StreamLog(const StreamLog&) = delete;
  StreamLog& operator=(const StreamLog&) = delete;

  // `counter` is the previous one plus one; `message` comes from StoreBudget::hold().
  void append(std::uint64_t counter, SharedMessage message, EventKind kind,
              std::uint64_t position = 0);

  // Before the first append(): counters up to this one are taken.
  void continue_after(std::uint64_t counter) {
    newest_ = counter;
    sent_ = counter;
    first_ = counter + 1;
  }

  // Events after `counter`, oldest first, at most `max_events`, stopping once `max_bytes` are
  // reached. Finds the first in O(1).
  EventsAfter events_after(std::uint64_t counter, std::size_t max_events,
                           std::size_t max_bytes) const;

  // Counter of the newest evicted; 0: none. All events after it are held.
  std::uint64_t purged() const { return purged_; }

  // Marks events up to `counter` as sent: responses among them become evictable.
  void mark_sent(std::uint64_t counter);

 private:
  friend class EventStore;

  // A node of the age list. Owned by its log; its destructor unlinks it and credits the budget.
  struct Event : boost::intrusive::list_base_hook<
                     boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
    Event(StoreBudget& budget, StreamLog& log, std::uint64_t counter);
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event();

    static constexpr std::size_t cost();  // without the message
    void pin(const Message& message);
    void unpin();

    StoreBudget& budget;
    StreamLog& log;
    std::uint64_t counter;
    std::size_t pinned = 0;  // bytes of an unsent response
    bool is_passed = false;  // in EventStore::passed_
  };

  // Holds the message beside its event, so that a replay reads contiguous memory.
  struct Slot {
    std::unique_ptr<Event> event;
    SharedMessage message;
    std::uint64_t position = 0;
  };

  // Null if evicted or never stored.
  Event* find(std::uint64_t counter) const;
  void remove(std::uint64_t counter);

  EventStore& store_;
  std::uint64_t newest_ = 0;
  std::uint64_t purged_ = 0;
  std::uint64_t sent_ = 0;
  // Indexed by counter; a slot is empty if its event was evicted before an older one. The first
  // slot is never empty.
  boost::circular_buffer<Slot> slots_;
  std::uint64_t first_ = 0;  // counter of slots_[0]
};

// What the logs of one shard share. Above the budget the oldest events of all streams are evicted;
// new ones are always accepted. Unsent responses are skipped until they alone exceed the budget;
// then the oldest of them is evicted.
class EventStore {
 public:
  // `budget` outlives the store.
  explicit EventStore(StoreBudget& budget);
  EventStore(const EventStore&) = delete;
  EventStore& operator=(const EventStore&) = delete;
  ~EventStore();

  // Evicts the oldest events until the budget holds or nothing is evictable; called when another
  // store needs space.
  void trim();

 private:
  friend class StreamLog;

  using Event = StreamLog::Event;
  using EventList = boost::intrusive::list<Event, boost::intrusive::constant_time_size<false>>;

  void make_room(const Event* kept);

  StoreBudget& budget_;
  EventList by_age_;
  EventList passed_;  // pinned and older than all of by_age_; by age
};

}  // namespace oriel::mcp
