#pragma once
// How a node comes to a journal that may follow the cluster's log. The decision is pure.

#include "base/error.h"
#include "base/sequence.h"
#include "cluster/heartbeat.h"
#include "cluster/log_stream.h"
#include "journal/event_log.h"

#include <optional>
#include <string>
#include <vector>

namespace oriel {

// The journal in the node's data directory.
struct OwnJournal {
  bool has_data = false;      // events or documents
  bool was_outvoted = false;  // it differs from those of the other nodes
  std::string epoch;          // the one that a new file would get, if there is none
  Sequence head = kNoSequence;
  Applied applied = {};  // no log: it was never part of a cluster
};

struct StartFacts {
  OwnJournal own;
  LogStream stream;
  std::vector<Heartbeat> peers = {};  // those that are alive
};

enum class StartStep {
  kFound,     // the journal becomes the first state of the log
  kGoOn,      // the journal goes on where it was
  kFollow,    // the journal goes on in the next generation of the log, which began where it ends
  kSnapshot,  // the journal of another node replaces this one
  kReplay,    // there is no journal, and the log has everything from its beginning
  kServe,     // the log cannot be seen: the journal can be read as it is, until it goes on
  kRefuse,
};

struct StartDecision {
  StartStep step = StartStep::kRefuse;
  std::vector<std::string> sources = {};  // of a snapshot: nodes, the best first
  std::optional<Error> refusal = {};      // of the last two; kNodeUnreachable: time may change it

  bool operator==(const StartDecision&) const = default;
};

// This node applies the stream.
bool follows(const Heartbeat& node, const LogStream& stream);

// The name of the log that this journal founds. It begins with the epoch of all its cursors, and
// says whether the log alone has everything.
std::string founded_log(const OwnJournal& own);

// The log has everything, if it still begins with its first place: nothing was stored before. Then
// its name is its epoch, too.
bool is_complete_log(const LogStream& stream);

// The stream begins with what the journal has applied, and nothing else.
bool goes_on_from(const LogStream& stream, const Applied& applied);

StartDecision decide_start(const StartFacts& facts);

// The same if nobody can tell what is in the log.
StartDecision decide_without_log(const OwnJournal& own, Error problem);

}  // namespace oriel
