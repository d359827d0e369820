#include "cluster/log/entry_reader.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace oriel {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kMaxTaken = 512;  // entries at once
constexpr std::size_t kMaxTakenBytes = 8 << 20;
constexpr milliseconds kPutBackDelay{200};
constexpr milliseconds kStopPoll{10};

std::uint64_t first_read(const Applied& applied) {
  return applied.place >= kAssemblySpan ? applied.place - kAssemblySpan + 1 : 0;
}

}  // namespace

EntryReader::EntryReader(EntryReaderOptions options)
    : options_(std::move(options)),
      feed_({.taken = first_read(options_.applied),
             .needed = options_.applied.place + 1,
             .max_bytes = options_.max_bytes}),
      taken_(options_.applied.place),
      author_(options_.author) {}

OwnEntries EntryReader::live(std::uint64_t place, EntryPart part, bool& has_hole) {
  OwnEntries own;
  {
    const MutexLock lock(mutex_);
    feed_.live(place, std::move(part), Clock::now());
    own = pump();
    has_hole = feed_.due() == SteadyTime::min();
  }
  ready_.notify_one();
  return own;
}

OwnEntries EntryReader::refilled(std::uint64_t place, std::optional<EntryPart> part) {
  OwnEntries own;
  {
    const MutexLock lock(mutex_);
    if (part)
      feed_.refilled(place, std::move(*part), Clock::now());
    else
      feed_.unanswered(place, Clock::now());
    own = pump();
  }
  ready_.notify_one();
  return own;
}

void EntryReader::described(std::uint64_t first, std::uint64_t last) {
  const MutexLock lock(mutex_);
  first_ = first;
  last_ = last;
  feed_.begins_at(first);
  feed_.exists(last, Clock::now());
}

bool EntryReader::exists(std::uint64_t place) {
  const MutexLock lock(mutex_);
  feed_.exists(place, Clock::now());
  return feed_.due() != SteadyTime::max();
}

void EntryReader::reconnected(SteadyTime now) {
  const MutexLock lock(mutex_);
  feed_.reconnected(now);
}

std::vector<std::uint64_t> EntryReader::to_request(SteadyTime now) {
  const MutexLock lock(mutex_);
  return feed_.to_request(now);
}

SteadyTime EntryReader::due() const {
  const MutexLock lock(mutex_);
  return feed_.due();
}

// Turns messages that are next into entries, as many as may wait for the journal.
OwnEntries EntryReader::pump() {
  OwnEntries own{.life = life_};
  while (ready_bytes_ < options_.max_bytes / 2) {
    const EntryPart* next = feed_.front();
    if (next == nullptr) break;
    if (next->kind == MessageKind::kNewer) {
      newer_format_ = next->format;
      break;
    }
    auto [place, part] = feed_.pop();
    const std::size_t bytes = part.payload.size() + sizeof(Entry);
    const bool is_own = part.author == author_;
    const std::uint64_t number = part.number;
    const std::uint32_t attempt = part.attempt;
    const bool is_last = part.part == part.parts;
    Entry entry = assembler_.add(place, std::move(part));
    if (is_own && entry.number != 0 && number == next_own_) {
      own_place_ = place;
      in_turn_.insert(place);
      own.stored.push_back(number);
      ++next_own_;
    } else if (is_own && is_last && number >= next_own_) {
      own.passed_over = attempt;
    }
    if (place <= options_.applied.place) continue;
    ready_bytes_ += bytes;
    entries_.push_back({.entry = std::move(entry), .bytes = bytes});
  }
  return own;
}

std::vector<Entry> EntryReader::take(OwnEntries& own) {
  const MutexLock lock(mutex_);
  std::vector<Entry> taken = take_ready(Clock::now());
  if (!taken.empty()) own = pump();
  return taken;
}

std::vector<Entry> EntryReader::take_ready(SteadyTime now) {
  if (!put_back_.empty()) {
    if (now < put_back_until_) return {};
    return std::exchange(put_back_, {});
  }
  std::vector<Entry> taken;
  std::size_t bytes = 0;
  while (!entries_.empty() && taken.size() < kMaxTaken && bytes < kMaxTakenBytes) {
    Ready& next = entries_.front();
    bytes += next.bytes;
    taken_ = next.entry.place;
    taken.push_back(std::move(next.entry));
    entries_.pop_front();
  }
  ready_bytes_ -= bytes;
  return taken;
}

void EntryReader::wait(SteadyTime until) {
  const MutexLock lock(mutex_);
  if (!put_back_.empty()) until = std::min(until, put_back_until_);
  if (is_stopping_) until = std::min(until, Clock::now() + kStopPoll);
  if (put_back_.empty() && !entries_.empty()) return;
  ready_.wait_until(mutex_, until);
}

void EntryReader::stop() {
  {
    const MutexLock lock(mutex_);
    is_stopping_ = true;
  }
  ready_.notify_one();
}

void EntryReader::put_back(std::vector<Entry>& entries) {
  const MutexLock lock(mutex_);
  put_back_ = std::move(entries);
  put_back_until_ = Clock::now() + kPutBackDelay;
}

void EntryReader::judged(const Entry& entry) {
  const MutexLock lock(mutex_);
  in_turn_.erase(entry.place);
}

bool EntryReader::passed_over(const Entry& entry) {
  const MutexLock lock(mutex_);
  if (entry.author != author_) return false;
  ++passed_over_;
  return in_turn_.erase(entry.place) > 0;
}

void EntryReader::begin_again(std::string author) {
  const MutexLock lock(mutex_);
  author_ = std::move(author);
  ++life_;
  next_own_ = 1;
  in_turn_.clear();
}

bool EntryReader::is_silent() const {
  const MutexLock lock(mutex_);
  return next_own_ > 1 && feed_.taken() >= own_place_ + options_.max_silence;
}

bool EntryReader::is_behind() const {
  const MutexLock lock(mutex_);
  return feed_.known() > taken_;
}

std::optional<std::string> EntryReader::broken() const {
  const MutexLock lock(mutex_);
  if (const auto place = feed_.broken_at()) {
    return "the log is broken: it has shown two different entries at place " +
           std::to_string(*place) + "; see oriel cluster refound";
  }
  if (newer_format_ != 0) {
    return "the log has entries of format " + std::to_string(newer_format_) +
           ", and this version reads up to " + std::to_string(kEntryFormat) + "; upgrade it";
  }
  if (feed_.is_purged()) {
    return "the log begins at place " + std::to_string(first_) + ", and this node needs place " +
           std::to_string(feed_.taken() + 1) + "; it needs the snapshot of another node";
  }
  return std::nullopt;
}

std::uint64_t EntryReader::taken() const {
  const MutexLock lock(mutex_);
  return taken_;
}

EntryReaderState EntryReader::state() const {
  const MutexLock lock(mutex_);
  return {.taken = taken_,
          .known = std::max(feed_.known(), taken_),
          .first = first_,
          .last = last_,
          .refilled = feed_.refilled_count(),
          .passed_over = passed_over_,
          .needs_snapshot = feed_.is_purged()};
}

}  // namespace oriel
