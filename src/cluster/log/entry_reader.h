#pragma once
// The entries of the log as they arrive, live or on request: by place, without holes, until the
// journal takes them.

#include "base/mutex.h"
#include "cluster/log/entry_assembler.h"
#include "cluster/log/entry_feed.h"
#include "cluster/log/own_entries.h"
#include "journal/event_log.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace oriel {

struct EntryReaderOptions {
  std::string author;  // of own entries
  Applied applied;     // where the node's journal is
  std::size_t max_bytes = 32 << 20;
  std::uint64_t max_silence = 0;  // entries of others, then an own one is due
};

struct EntryReaderState {
  std::uint64_t taken = 0;
  std::uint64_t known = 0;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t refilled = 0;
  std::uint64_t passed_over = 0;
  bool needs_snapshot = false;
};

// Safe from any thread; one alone takes and waits.
class EntryReader {
 public:
  explicit EntryReader(EntryReaderOptions options);

  // A message of the stream arrived by the live feed. Sets `has_hole` if one before it is missing.
  OwnEntries live(std::uint64_t place, EntryPart part, bool& has_hole);

  // The leader's answer to the request for a place; none: it had nothing.
  OwnEntries refilled(std::uint64_t place, std::optional<EntryPart> part);

  // The entries of these places exist.
  void described(std::uint64_t first, std::uint64_t last);

  // This place exists. True: something is to be requested, now or later.
  bool exists(std::uint64_t place);

  // Live messages may be missing from now on.
  void reconnected(SteadyTime now);

  // The places to ask the leader for now; they are under way then.
  std::vector<std::uint64_t> to_request(SteadyTime now);
  SteadyTime due() const;

  // Entries that are ready, in their order, if there are any. Adds own ones that have come into
  // sight because of this.
  std::vector<Entry> take(OwnEntries& own);

  // Waits until there may be something to take, stop() was called, or this time.
  void wait(SteadyTime until);
  void stop();

  void put_back(std::vector<Entry>& entries);

  // The journal has stored or refused the entry.
  void judged(const Entry& entry);

  // The journal has passed the entry over. True: although it came in its turn, so that the journals
  // have forgotten its author.
  bool passed_over(const Entry& entry);

  // Own entries are those of another author now, from number 1.
  void begin_again(std::string author);

  // Others have written so much that an own entry is due, if there ever was one.
  bool is_silent() const;

  // Not everything that is known to exist has been taken.
  bool is_behind() const;

  // What does not heal; none if there is nothing.
  std::optional<std::string> broken() const;

  std::uint64_t taken() const;
  EntryReaderState state() const;

 private:
  struct Ready {
    Entry entry;
    std::size_t bytes = 0;
  };

  OwnEntries pump() REQUIRES(mutex_);
  std::vector<Entry> take_ready(SteadyTime now) REQUIRES(mutex_);

  const EntryReaderOptions options_;

  mutable Mutex mutex_;  // between the library's threads, the journal's and the log's own
  ConditionVariable ready_;
  EntryFeed feed_ GUARDED_BY(mutex_);
  EntryAssembler assembler_ GUARDED_BY(mutex_);
  std::deque<Ready> entries_ GUARDED_BY(mutex_);
  std::size_t ready_bytes_ GUARDED_BY(mutex_) = 0;
  std::vector<Entry> put_back_ GUARDED_BY(mutex_);
  SteadyTime put_back_until_ GUARDED_BY(mutex_);
  std::uint64_t taken_ GUARDED_BY(mutex_);  // by the journal
  std::uint64_t first_ GUARDED_BY(mutex_) = 0;
  std::uint64_t last_ GUARDED_BY(mutex_) = 0;
  std::string author_ GUARDED_BY(mutex_);
  unsigned life_ GUARDED_BY(mutex_) = 0;            // how often there was another author
  std::uint64_t next_own_ GUARDED_BY(mutex_) = 1;   // the number of the next own entry
  std::uint64_t own_place_ GUARDED_BY(mutex_) = 0;  // of the last one that came in its turn
  // Of own entries that came in their turn and that the journal has not judged.
  std::set<std::uint64_t> in_turn_ GUARDED_BY(mutex_);
  std::uint64_t passed_over_ GUARDED_BY(mutex_) = 0;
  unsigned newer_format_ GUARDED_BY(mutex_) = 0;  // 0: none was met
  bool is_stopping_ GUARDED_BY(mutex_) = false;
};

}  // namespace oriel
