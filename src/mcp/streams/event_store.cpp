#include "mcp/streams/event_store.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace oriel::mcp {

// Empty streams are not charged: their number is bounded.
namespace {

constexpr std::size_t kSmallestRing = 4;

}  // namespace

// The allocation of the event and up to two slots of the ring.
constexpr std::size_t StreamLog::Event::cost() {
  return sizeof(Event) + 2 * sizeof(void*) + 2 * sizeof(Slot);
}

StreamLog::Event::Event(StoreBudget& its_budget, StreamLog& its_log, std::uint64_t its_counter)
    : budget(its_budget), log(its_log), counter(its_counter) {
  budget.add(cost());
}

StreamLog::Event::~Event() {
  unpin();
  budget.remove(cost());
}

void StreamLog::Event::pin(const Message& message) {
  pinned = cost() + message_bytes(message);
  budget.pin(pinned);
}

void StreamLog::Event::unpin() {
  budget.unpin(pinned);
  pinned = 0;
}

void StreamLog::append(std::uint64_t counter, SharedMessage message, EventKind kind,
                       std::uint64_t position) {
  assert(newest_ == 0 || counter == newest_ + 1);
  auto event = std::make_unique<Event>(store_.budget_, *this, counter);
  if (kind == EventKind::kResponse) event->pin(*message);
  store_.by_age_.push_back(*event);
  if (newest_ == 0) purged_ = counter - 1;
  if (slots_.empty()) first_ = counter;
  newest_ = counter;
  if (slots_.full()) slots_.set_capacity(std::max(kSmallestRing, 2 * slots_.capacity()));
  slots_.push_back(
      {.event = std::move(event), .message = std::move(message), .position = position});
  store_.make_room(slots_.back().event.get());
}

EventsAfter StreamLog::events_after(std::uint64_t counter, std::size_t max_events,
                                    std::size_t max_bytes) const {
  EventsAfter after;
  after.newest = newest_;
  if (!slots_.empty()) after.oldest = first_;
  after.is_purged = counter < purged_;
  if (after.is_purged || counter >= newest_ || slots_.empty()) return after;

  const std::uint64_t begin = std::max(counter + 1, first_);  // other processes had those before
  const std::uint64_t count = std::min<std::uint64_t>(newest_ + 1 - begin, max_events);
  after.events.reserve(count);
  std::size_t bytes = 0;
  for (std::uint64_t next = begin; next < begin + count && bytes < max_bytes; ++next) {
    const Slot& slot = slots_[next - first_];
    after.events.push_back({.counter = next, .position = slot.position, .message = slot.message});
    bytes += slot.message->size();
  }
  return after;
}

void StreamLog::mark_sent(std::uint64_t counter) {
  const std::uint64_t last = std::min(counter, newest_);
  for (std::uint64_t next = std::max(sent_ + 1, first_); next <= last; ++next) {
    Event* const event = find(next);
    if (!event || event->pinned == 0) continue;
    event->unpin();
    if (!event->is_passed) continue;
    event->is_passed = false;
    event->unlink();
    store_.by_age_.push_front(*event);
  }
  sent_ = std::max(sent_, last);
}

StreamLog::Event* StreamLog::find(std::uint64_t counter) const {
  if (counter < first_ || counter - first_ >= slots_.size()) return nullptr;
  return slots_[counter - first_].event.get();
}

void StreamLog::remove(std::uint64_t counter) {
  purged_ = std::max(purged_, counter);
  slots_[counter - first_] = {};
  while (!slots_.empty() && !slots_.front().event) {
    slots_.pop_front();
    ++first_;
  }
  if (slots_.empty())
    slots_.set_capacity(0);
  else if (slots_.capacity() > kSmallestRing && slots_.size() <= slots_.capacity() / 4)
    slots_.set_capacity(slots_.capacity() / 2);
}

EventStore::EventStore(StoreBudget& budget) : budget_(budget) {}

EventStore::~EventStore() = default;

void EventStore::trim() {
  make_room(nullptr);
}

// May evict everything except `kept`.
void EventStore::make_room(const Event* kept) {
  while (budget_.is_over() && !by_age_.empty() && &by_age_.front() != kept) {
    Event& oldest = by_age_.front();
    if (oldest.pinned == 0) {
      oldest.log.remove(oldest.counter);
      continue;
    }
    by_age_.pop_front();
    passed_.push_back(oldest);
    oldest.is_passed = true;
  }
  while (budget_.is_over() && budget_.is_over_by_pinned_alone() && !passed_.empty()) {
    const Event& oldest = passed_.front();
    oldest.log.remove(oldest.counter);
  }
}

}  // namespace oriel::mcp
