#pragma once
// The appends of a node until they are answered: first waiting to be published, then under way in
// an entry of the log. Bounded in bytes. One thread at a time.

#include "journal/proposal.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace oriel {

struct AppendQueueOptions {
  std::size_t max_bytes = 64 << 20;  // offers beyond this fail
  std::size_t max_group = 64;        // appends in one entry
  std::size_t max_group_bytes = 256 << 10;
};

class AppendQueue {
 public:
  explicit AppendQueue(AppendQueueOptions options) : options_(options) {}

  // Moves from its arguments if it accepts them. Errors: kJournalBusy, kBodyTooLarge.
  Result<void> offer(Proposal& proposal, AppendHandler& handler);

  bool has_waiting() const { return !waiting_.empty(); }

  // More would not fit into one entry.
  bool has_full_group() const;

  bool is_empty() const { return waiting_.empty() && under_way_.empty(); }

  // The oldest appends that wait. They are under way now, as the entry of this number.
  std::vector<Proposal> group(std::uint64_t number);

  // The handlers of an entry under way, once.
  std::vector<AppendHandler> handlers_of(std::uint64_t number);

  // The handlers of all entries under way, oldest first.
  std::vector<AppendHandler> take_under_way();

  // All handlers, oldest first.
  std::vector<AppendHandler> clear();

 private:
  struct Waiting {
    Proposal proposal;
    AppendHandler handler;
    std::size_t bytes = 0;
  };

  struct UnderWay {
    std::vector<AppendHandler> handlers;
    std::size_t bytes = 0;
  };

  const AppendQueueOptions options_;
  std::deque<Waiting> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::map<std::uint64_t, UnderWay> under_way_;  // by the entry's number
  std::size_t bytes_ = 0;                        // of both
};

}  // namespace oriel
