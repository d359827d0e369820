#pragma once
// Founds a log anew that the NATS servers have lost, or that went wrong: its next generation goes
// on from the journal of one node.

#include "cluster/nats_connection.h"
#include "cluster/start/node_start.h"
#include "journal/sqlite/sqlite_engine.h"

#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct RefoundFacts {
  OwnJournal own;
  std::optional<LogStream> stream = {};  // of the newest generation; none: there is none
  // Whether the stream has at the journal's last place what the journal has applied there; none:
  // nobody can tell.
  std::optional<bool> has_own_entry = {};
  std::vector<Heartbeat> peers = {};  // nodes that run
};

// Pure. The error says why the log is not to be founded anew from this journal. Force overrules it
// unless the servers have the log of another cluster, or the journal belongs to none.
Result<void> check_refound(const RefoundFacts& facts, bool is_forced);

struct RefoundOptions {
  NatsOptions nats;
  std::string node;  // whose journal it is
  int replicas = 1;  // of the new stream, unless there is an old one
  SqliteEngineOptions journal;
  bool is_forced = false;
};

struct RefoundedLog {
  std::string log;
  std::uint64_t generation = 0;
  Sequence head = kNoSequence;  // the last event that it goes on after
};

// Makes the stream. The journal stays as it is: this node and every other one that has applied the
// same goes on in the stream when it starts, the others take a snapshot. All get a new epoch,
// because clients may have seen events that this journal does not have: they receive a gap. Blocks
// for some seconds; the node must not run. Errors: those of check_refound() and
// find_log_stream(), kBadConfig (credentials). Throws std::runtime_error as open_sqlite_engine().
Result<RefoundedLog> refound_log(const RefoundOptions& options);

}  // namespace oriel
