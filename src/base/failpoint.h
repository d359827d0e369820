#pragma once
// Failpoints: places where a build for tests can be made to crash, throw or stall, and mutants:
// defects that such a build can be given, to prove that `oriel verify` finds them. Builds with
// ORIEL_NO_FAILPOINTS, such as the release, contain neither of them, nor their names.
//
//   ORIEL_FAILPOINTS=commit.before:3             exits with kFailpointExit at the third hit
//   ORIEL_FAILPOINTS=spawn.before:1:throw        throws std::runtime_error at the first hit
//   ORIEL_FAILPOINTS=write.before:9:stall,mutant.forget_gap

#include "base/error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#ifdef ORIEL_NO_FAILPOINTS
#define ORIEL_FAILPOINT(point) static_cast<void>(0)
#define ORIEL_MUTANT(mutant) false
#else
#define ORIEL_FAILPOINT(point) ::oriel::hit_failpoint(::oriel::Failpoint::point)
#define ORIEL_MUTANT(mutant) ::oriel::has_mutant(::oriel::Mutant::mutant)
#endif

namespace oriel {

enum class Failpoint {
  kWriteBefore,  // a batch of events is written into a transaction
  kWriteAfter,
  kDocumentBefore,  // the batch's documents are written into the same transaction
  kDocumentAfter,
  kCommitBefore,  // the transaction is committed
  kCommitAfter,
  kAnnounceBefore,    // the committed events are passed to the hub
  kAnnounceAfter,     // and not yet acknowledged
  kCheckpointBefore,  // the write-ahead log is copied into the database and synced
  kCheckpointAfter,
  kSyncBefore,  // a file is synced to the disk, by SQLite or by Oriel
  kSyncAfter,
  kRenameBefore,  // a file, which has been synced, replaces the old one, or an upload is moved
  kRenameAfter,
  kSpawnBefore,  // a program is started
  kSpawnAfter,
  kInputBefore,  // lines are written to an agent
  kInputAfter,
  kResponseBefore,  // a response that is no event stream is written
  kResponseAfter,
  kStreamBefore,  // frames are written to an event stream
  kStreamAfter,
  kOutboxBefore,  // a session's events are appended to the journal
  kOutboxAfter,
};

enum class Mutant {
  kAcknowledgeEarly,    // the journal acknowledges events before it commits them
  kReplayWithoutBound,  // a replay reads on beyond the newest event of its shard
  kForgetGap,           // a replay is silent about removed events
  kStoreRepetitions,    // an entry that a node has put into the log of a cluster twice counts twice
};

enum class FailAction { kCrash, kThrow, kStall };

struct FailpointSetting {
  Failpoint point = Failpoint::kWriteBefore;
  std::uint64_t hit = 1;  // at which it acts, once
  FailAction action = FailAction::kCrash;

  bool operator==(const FailpointSetting&) const = default;
};

struct FailpointSettings {
  std::vector<FailpointSetting> points;
  std::vector<Mutant> mutants;
};

constexpr const char* kFailpointsVariable = "ORIEL_FAILPOINTS";
constexpr int kFailpointExit = 86;

// The names of all failpoints, and of all mutants. Empty in a build without failpoints.
std::vector<std::string> failpoint_names();
std::vector<std::string> mutant_names();

// Parses the environment variable. In a build without failpoints every name is unknown.
Result<FailpointSettings> parse_failpoints(std::string_view text);

#ifndef ORIEL_NO_FAILPOINTS
// Safe from any thread. The first call reads the environment; the process exits if that is invalid.
void hit_failpoint(Failpoint point);
bool has_mutant(Mutant mutant);
#endif

}  // namespace oriel
