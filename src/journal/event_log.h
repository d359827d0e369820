#pragma once
// Orders appends. The journal stores what its log returns, in that order: on one machine the log is
// a queue, in a cluster all nodes share it.

#include "base/moment.h"
#include "journal/proposal.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

// Proposals that one node has put into the log together.
struct Entry {
  std::uint64_t place = 0;   // in a shared log, from 1 without holes; 0: the log is local
  std::string author = {};   // the life of the node; empty: the log is local
  std::uint64_t number = 0;  // of the author's entries, from 1 without holes
  std::uint64_t digest = 0;  // of its bytes in the log
  std::vector<Proposal> proposals;
};

// How far a shared log has been applied. Nodes that have applied the same entries agree on it.
struct Applied {
  std::string log = {};          // its name; empty: the log is local
  std::uint64_t generation = 1;  // a log that went wrong goes on in the next one, from place 0
  std::uint64_t place = 0;       // of the last entry
  std::uint64_t chain = 0;       // of everything up to it, earlier generations included

  bool operator==(const Applied&) const = default;
};

// Nodes remember the chain at the multiples of this, so that they can compare it although they
// apply at different speeds.
inline constexpr std::uint64_t kChainMarkEvery = 64;

// The chain of everything up to a place of the log.
struct ChainMark {
  std::uint64_t place = 0;  // 0: none
  std::uint64_t chain = 0;

  bool operator==(const ChainMark&) const = default;
};

// offer() may be called on any thread, the rest on the journal's unless it says otherwise.
class EventLog {
 public:
  virtual ~EventLog() = default;

  // Queues a proposal; its handler is called once it has been stored or refused. Proposals that one
  // thread offers one after another are stored in that order. If this returns an error, the handler
  // is not called: kJournalBusy (the queue is full), kBodyTooLarge or kStopping.
  virtual Result<void> offer(Proposal& proposal, AppendHandler& handler) = 0;

  // Waits for entries, at most until then. None: stop() was called, and all entries that can still
  // be had were returned.
  virtual std::optional<std::vector<Entry>> take(SteadyTime until) = 0;

  // The handlers of an entry's proposals, once, in their order; empty if the entry is not of this
  // process. Call it when the entry has been stored or refused.
  virtual std::vector<AppendHandler> handlers_of(const Entry& entry) = 0;

  // The entry was neither stored nor refused: one before it is missing, or it is a repetition.
  virtual void passed_over(const Entry& entry) = 0;

  // The entries could not be stored. True: a later take() returns them again, after a pause. False:
  // nothing of them exists any more.
  virtual bool put_back(std::vector<Entry>& entries) = 0;

  // On any thread. Later offers fail with kStopping.
  virtual void stop() = 0;

  // What is wrong with the log; none if appends work. On any thread.
  virtual std::optional<std::string> problem() const { return std::nullopt; }

  // Whether others may have applied entries that take() has not returned yet. On any thread.
  virtual bool is_behind() const { return false; }
};

}  // namespace oriel
