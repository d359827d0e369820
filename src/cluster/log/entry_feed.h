#pragma once
// Puts the messages of the log in the order of their places. Says which ones to ask the stream's
// leader for, because the live feed has missed them. Pure: gets the time.

#include "base/moment.h"
#include "cluster/entry_codec.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace oriel {

struct EntryFeedOptions {
  std::uint64_t taken = 0;   // the place before the first that is read
  std::uint64_t needed = 1;  // the log may begin as late as here
  std::size_t max_bytes = 32 << 20;
  std::size_t max_requests = 128;             // under way
  std::size_t max_requested_bytes = 8 << 20;  // as far as is known from earlier messages
  std::chrono::milliseconds tail_delay{100};  // for the live feed to bring what is known to exist
  std::chrono::milliseconds request_deadline{1000};  // of silence: answers come in order
  std::chrono::milliseconds retry_delay{100};        // after the leader had no answer
};

class EntryFeed {
 public:
  explicit EntryFeed(EntryFeedOptions options);

  // A message arrived. It is dropped, and asked for later, if too much is waiting already.
  void live(std::uint64_t place, EntryPart part, SteadyTime now);
  void refilled(std::uint64_t place, EntryPart part, SteadyTime now);

  // The leader could not answer the request for a place.
  void unanswered(std::uint64_t place, SteadyTime now);

  // What is known of the log: a place exists, and nothing exists before one.
  void exists(std::uint64_t place, SteadyTime now);
  void begins_at(std::uint64_t first);

  // Live messages may be missing from now on.
  void reconnected(SteadyTime now);

  // The places to ask the leader for now; they are under way then.
  std::vector<std::uint64_t> to_request(SteadyTime now);

  // When to call to_request() again if nothing else happens.
  SteadyTime due() const;

  // The message of the next place, if it is there.
  const EntryPart* front() const;
  std::pair<std::uint64_t, EntryPart> pop();

  std::uint64_t taken() const { return taken_; }

  std::uint64_t known() const { return known_; }

  std::uint64_t refilled_count() const { return refilled_count_; }

  // A message that is needed does not exist any more: only a snapshot leads on.
  bool is_purged() const { return is_purged_; }

  // A place at which the log has shown two different messages.
  std::optional<std::uint64_t> broken_at() const { return broken_at_; }

 private:
  static constexpr std::size_t kRemembered = 8192;

  void add(std::uint64_t place, EntryPart part);
  void check_repetition(std::uint64_t place, const EntryPart& part);
  void note_contiguous();

  std::uint64_t first_missing() const { return contiguous_ + 1; }

  bool has_space() const;
  SteadyTime due_again(SteadyTime again) const;
  std::uint64_t request_limit(SteadyTime now) const;

  const EntryFeedOptions options_;
  std::uint64_t taken_;
  std::uint64_t contiguous_;                    // all up to here is taken or waiting
  std::uint64_t known_ = 0;                     // the highest place that exists
  std::uint64_t highest_live_ = 0;              // below it, what is missing will not come by itself
  SteadyTime tail_since_ = SteadyTime::max();   // what exists beyond highest_live_ is waited for
  std::map<std::uint64_t, EntryPart> waiting_;  // by place
  std::size_t bytes_ = 0;                       // of waiting_
  std::size_t largest_ = 1 << 10;               // message so far
  std::map<std::uint64_t, SteadyTime> requests_;  // under way, by place: when to ask again
  std::uint64_t asked_until_;                     // places up to here are waiting or under way
  SteadyTime answered_at_ = SteadyTime::min();    // the last answer
  std::uint64_t refilled_count_ = 0;
  bool is_purged_ = false;
  std::optional<std::uint64_t> broken_at_;
  std::array<std::uint64_t, kRemembered> identities_{};  // of the last places; 0: unknown
};

}  // namespace oriel
