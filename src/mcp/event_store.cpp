#include "mcp/event_store.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace oriel {

// Empty streams and sessions do not count: as the sessions themselves they are bounded in number.
namespace {

// An allocator's block for the event, and up to two places in the stream's ring.
constexpr std::size_t kAroundEvent = 2 * sizeof(void*) + 2 * sizeof(void*);
constexpr std::size_t kSmallestRing = 4;

}  // namespace

EventStore::Event::Event(StoreBudget& its_budget, Stream& its_stream, std::uint64_t its_counter,
                         SharedBytes its_data)
    : budget(its_budget), stream(its_stream), counter(its_counter), data(std::move(its_data)) {
  budget.add(sizeof(Event) + kAroundEvent);
}

EventStore::Event::~Event() {
  if (is_pinned) unpin();
  budget.remove(sizeof(Event) + kAroundEvent);
}

void EventStore::Event::pin() {
  is_pinned = true;
  budget.pin(sizeof(Event) + kAroundEvent + payload_bytes(*data));
}

void EventStore::Event::unpin() {
  is_pinned = false;
  budget.unpin(sizeof(Event) + kAroundEvent + payload_bytes(*data));
}

EventStore::Event* EventStore::Stream::find(std::uint64_t counter) const {
  if (counter < first || counter - first >= events.size()) return nullptr;
  return events[counter - first].get();
}

void EventStore::Stream::append(std::unique_ptr<Event> event) {
  assert(newest == 0 || event->counter == newest + 1);
  if (newest == 0) purged = event->counter - 1;
  if (events.empty()) first = event->counter;
  newest = event->counter;
  if (events.full()) events.set_capacity(std::max(kSmallestRing, 2 * events.capacity()));
  events.push_back(std::move(event));
}

void EventStore::Stream::remove(std::uint64_t counter) {
  purged = std::max(purged, counter);
  events[counter - first].reset();
  while (!events.empty() && !events.front()) {
    events.pop_front();
    ++first;
  }
  if (events.empty())
    events.set_capacity(0);
  else if (events.capacity() > kSmallestRing && events.size() <= events.capacity() / 4)
    events.set_capacity(events.capacity() / 2);
}

EventStore::EventStore(StoreBudget& budget) : budget_(budget) {}

EventStore::~EventStore() = default;

void EventStore::store(std::string_view session, std::string_view stream, std::uint64_t counter,
                       SharedBytes data, EventKind kind) {
  Stream& home = find_or_add(session, stream);
  auto event = std::make_unique<Event>(budget_, home, counter, std::move(data));
  if (kind == EventKind::kResponse) event->pin();
  by_age_.push_back(*event);
  const Event* const newest = event.get();
  home.append(std::move(event));
  make_room(newest);
}

EventsAfter EventStore::events_after(std::string_view session, std::string_view stream,
                                     std::uint64_t counter, std::size_t max_events,
                                     std::size_t max_bytes) const {
  EventsAfter after;
  const Stream* const home = find(session, stream);
  if (!home) return after;
  after.newest = home->newest;
  if (!home->events.empty()) after.oldest = home->first;
  after.is_purged = counter < home->purged;
  if (after.is_purged || counter >= home->newest) return after;

  const std::uint64_t count = std::min<std::uint64_t>(home->newest - counter, max_events);
  after.events.reserve(count);
  std::size_t bytes = 0;
  for (std::uint64_t next = counter + 1; next <= counter + count && bytes < max_bytes; ++next) {
    const Event& event = *home->find(next);
    after.events.push_back({.counter = next, .data = event.data});
    bytes += event.data->size();
  }
  return after;
}

void EventStore::mark_sent(std::string_view session, std::string_view stream,
                           std::uint64_t counter) {
  Stream* const home = find(session, stream);
  if (!home) return;
  const std::uint64_t last = std::min(counter, home->newest);
  for (std::uint64_t next = std::max(home->sent + 1, home->first); next <= last; ++next) {
    Event* const event = home->find(next);
    if (!event || !event->is_pinned) continue;
    event->unpin();
    if (!event->is_passed) continue;
    event->is_passed = false;
    event->unlink();
    by_age_.push_front(*event);
  }
  home->sent = std::max(home->sent, last);
}

void EventStore::clear_stream(std::string_view session, std::string_view stream) {
  const auto streams = sessions_.find(session);
  if (streams == sessions_.end()) return;
  const auto home = streams->second.find(stream);
  if (home == streams->second.end()) return;
  streams->second.erase(home);
  if (streams->second.empty()) sessions_.erase(streams);
}

void EventStore::clear_session(std::string_view session) {
  const auto streams = sessions_.find(session);
  if (streams != sessions_.end()) sessions_.erase(streams);
}

void EventStore::trim() {
  make_room(nullptr);
}

EventStore::Stream* EventStore::find(std::string_view session, std::string_view stream) {
  const auto streams = sessions_.find(session);
  if (streams == sessions_.end()) return nullptr;
  const auto home = streams->second.find(stream);
  return home == streams->second.end() ? nullptr : &home->second;
}

const EventStore::Stream* EventStore::find(std::string_view session,
                                           std::string_view stream) const {
  return const_cast<EventStore&>(*this).find(session, stream);
}

EventStore::Stream& EventStore::find_or_add(std::string_view session, std::string_view stream) {
  auto streams = sessions_.find(session);
  if (streams == sessions_.end()) streams = sessions_.try_emplace(std::string(session)).first;
  auto home = streams->second.find(stream);
  if (home == streams->second.end()) home = streams->second.try_emplace(std::string(stream)).first;
  return home->second;
}

// All but `kept` may go.
void EventStore::make_room(const Event* kept) {
  while (budget_.is_over() && !by_age_.empty() && &by_age_.front() != kept) {
    Event& oldest = by_age_.front();
    if (!oldest.is_pinned) {
      oldest.stream.remove(oldest.counter);
      continue;
    }
    by_age_.pop_front();
    passed_.push_back(oldest);
    oldest.is_passed = true;
  }
  while (budget_.is_over() && budget_.is_over_by_pinned_alone() && !passed_.empty()) {
    const Event& oldest = passed_.front();
    oldest.stream.remove(oldest.counter);
  }
}

}  // namespace oriel
