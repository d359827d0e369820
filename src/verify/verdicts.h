#pragma once
// Judges the evidence: one verdict for each promise. Pure.

#include "verify/evidence.h"
#include "verify/promise.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

// Every acknowledged event is in the journal once, under the sequence that was acknowledged, and
// every acknowledged message has its task. No message is stored twice, however often it was sent,
// and no refused event is stored.
Verdict judge_loss(const Ledger& ledger, const std::vector<JournalEvent>& journal);

// What MCP pushed of one session, and the events that should have been.
struct PushLog {
  WatchLog log;  // digests are indexes
  std::string session_id;
  // As session_watch answered: every later event is pushed. None: there was no answer.
  std::optional<std::int64_t> after_index = {};
  bool is_ended = false;  // with its MCP session: later events need not be there
};

// Each watcher received the whole journal, and each push log its session from its first event or
// the beginning of its watch on.
Verdict judge_delivery(const std::vector<WatchLog>& watchers, const std::vector<PushLog>& pushes,
                       const std::vector<JournalEvent>& journal);

// The polled sessions have the indexes 0, 1, 2 ... and the journal's events.
Verdict judge_indexes(const std::vector<PolledSession>& sessions,
                      const std::vector<JournalEvent>& journal);

// `published`: the sequences of all events, also of removed ones.
Verdict judge_gaps(const std::vector<WatchLog>& watchers, const std::vector<Sequence>& published);

// The task of every acknowledged message has ended, once.
Verdict judge_tasks(const Ledger& ledger, const std::vector<PolledSession>& sessions);

// The events of one node of a cluster.
struct NodeJournal {
  std::string node;
  std::vector<JournalEvent> events;
};

// All have the same events, byte for byte.
Verdict judge_agreement(const std::vector<NodeJournal>& journals);

Verdict judge_memory(const std::vector<std::uint64_t>& peaks, std::uint64_t limit);

// How a life of the server ended.
struct ServerEnd {
  bool was_stopped = false;  // by SIGTERM; otherwise it ended without being asked to
  std::string exit;          // "exit code 0"
  bool is_success = false;
  std::chrono::milliseconds duration{0};
  std::vector<std::string> left;  // processes
};

Verdict judge_stops(const std::vector<ServerEnd>& ends, std::chrono::milliseconds limit);

}  // namespace oriel
