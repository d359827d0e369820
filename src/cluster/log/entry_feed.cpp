#include "cluster/log/entry_feed.h"

#include <algorithm>

namespace oriel {
namespace {

std::size_t size_of(const EntryPart& part) {
  return sizeof(EntryPart) + part.author.size() + part.payload.size();
}

}  // namespace

EntryFeed::EntryFeed(EntryFeedOptions options)
    : options_(options),
      taken_(options.taken),
      contiguous_(options.taken),
      asked_until_(options.taken) {}

void EntryFeed::live(std::uint64_t place, EntryPart part, SteadyTime now) {
  if (place > highest_live_) {
    highest_live_ = place;
    tail_since_ = known_ > place ? now : SteadyTime::max();
  }
  known_ = std::max(known_, place);
  add(place, std::move(part));
}

void EntryFeed::refilled(std::uint64_t place, EntryPart part, SteadyTime now) {
  exists(place, now);
  answered_at_ = now;
  const bool was_missing = place > taken_ && !waiting_.contains(place);
  if (was_missing) ++refilled_count_;
  requests_.erase(place);
  add(place, std::move(part));
}

void EntryFeed::unanswered(std::uint64_t place, SteadyTime now) {
  const auto request = requests_.find(place);
  if (request != requests_.end()) request->second = now + options_.retry_delay;
}

void EntryFeed::exists(std::uint64_t place, SteadyTime now) {
  if (place <= known_) return;
  const bool had_all = contiguous_ >= known_;
  known_ = place;
  if (place > highest_live_ && (had_all || tail_since_ == SteadyTime::max())) tail_since_ = now;
}

void EntryFeed::begins_at(std::uint64_t first) {
  if (std::max(first_missing(), options_.needed) < first) {
    is_purged_ = true;
    return;
  }
  // What is missing before it is of use, but not needed.
  const std::uint64_t start = std::min(first, options_.needed);
  if (start <= taken_ + 1) return;
  for (auto at = waiting_.begin(); at != waiting_.end() && at->first < start;) {
    bytes_ -= size_of(at->second);
    at = waiting_.erase(at);
  }
  requests_.erase(requests_.begin(), requests_.lower_bound(start));
  taken_ = start - 1;
  note_contiguous();
}

void EntryFeed::reconnected(SteadyTime now) {
  // Answers to earlier requests are lost.
  answered_at_ = SteadyTime::min();
  for (auto& [place, again] : requests_)
    again = std::min(again, now);
  if (known_ > highest_live_) tail_since_ = now - options_.tail_delay;
}

std::vector<std::uint64_t> EntryFeed::to_request(SteadyTime now) {
  std::vector<std::uint64_t> places;
  if (is_purged_) return places;
  for (auto& [place, again] : requests_) {
    if (due_again(again) > now) continue;
    again = now + options_.request_deadline;
    places.push_back(place);
  }
  const std::uint64_t limit = request_limit(now);
  std::uint64_t place = std::max(asked_until_, contiguous_) + 1;
  for (; place <= limit; ++place) {
    if (waiting_.contains(place) || requests_.contains(place)) continue;
    if (requests_.size() >= options_.max_requests || !has_space()) break;
    requests_.emplace(place, now + options_.request_deadline);
    places.push_back(place);
  }
  asked_until_ = place - 1;
  return places;
}

SteadyTime EntryFeed::due() const {
  if (is_purged_) return SteadyTime::max();
  SteadyTime due = SteadyTime::max();
  for (const auto& [place, again] : requests_)
    due = std::min(due, due_again(again));
  if (requests_.size() >= options_.max_requests || !has_space()) return due;
  const std::uint64_t asked = std::max(asked_until_, contiguous_);
  if (asked < highest_live_) return SteadyTime::min();
  if (asked < known_) due = std::min(due, tail_since_ + options_.tail_delay);
  return due;
}

const EntryPart* EntryFeed::front() const {
  if (waiting_.empty() || waiting_.begin()->first != taken_ + 1) return nullptr;
  return &waiting_.begin()->second;
}

std::pair<std::uint64_t, EntryPart> EntryFeed::pop() {
  auto node = waiting_.extract(waiting_.begin());
  bytes_ -= size_of(node.mapped());
  taken_ = node.key();
  identities_[taken_ % kRemembered] = node.mapped().identity();
  return {taken_, std::move(node.mapped())};
}

void EntryFeed::add(std::uint64_t place, EntryPart part) {
  if (place <= taken_ || waiting_.contains(place)) {
    check_repetition(place, part);
    return;
  }
  const std::size_t size = size_of(part);
  largest_ = std::max(largest_, size);
  // The next one is always accepted, or nothing would go on.
  if (place != first_missing() && bytes_ + size > options_.max_bytes) {
    asked_until_ = std::min(asked_until_, place - 1);
    return;
  }
  requests_.erase(place);
  bytes_ += size;
  waiting_.emplace(place, std::move(part));
  note_contiguous();
}

void EntryFeed::check_repetition(std::uint64_t place, const EntryPart& part) {
  const auto waiting = waiting_.find(place);
  const bool is_remembered = place + kRemembered > taken_;
  const std::uint64_t known = waiting != waiting_.end() ? waiting->second.identity()
                              : is_remembered           ? identities_[place % kRemembered]
                                                        : 0;
  if (known != 0 && known != part.identity()) broken_at_ = place;
}

void EntryFeed::note_contiguous() {
  contiguous_ = std::max(contiguous_, taken_);
  while (waiting_.contains(contiguous_ + 1))
    ++contiguous_;
}

// For what is under way, too.
bool EntryFeed::has_space() const {
  if (requests_.empty()) return true;
  const std::size_t requested = (requests_.size() + 1) * largest_;
  return requested <= options_.max_requested_bytes && bytes_ + requested <= options_.max_bytes;
}

// While answers arrive, what is under way is only late: asking again would make it later.
SteadyTime EntryFeed::due_again(SteadyTime again) const {
  if (answered_at_ == SteadyTime::min()) return again;
  return std::max(again, answered_at_ + options_.request_deadline);
}

// The last place that will not come by itself.
std::uint64_t EntryFeed::request_limit(SteadyTime now) const {
  const bool is_late = tail_since_ != SteadyTime::max() && now >= tail_since_ + options_.tail_delay;
  return is_late ? std::max(known_, highest_live_) : highest_live_;
}

}  // namespace oriel
