#include "verify/verdicts.h"

#include "base/text/quantity.h"
#include "verify/watch_check.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace oriel {
namespace {

std::string name_of(const EventNumber& number) {
  return fmt::format("event {} of publisher {}", number.number, number.publisher);
}

void fail_all(Verdict& verdict, const std::vector<std::string>& problems) {
  for (const std::string& problem : problems)
    verdict.fail(problem);
}

std::vector<Delivery> deliveries_of(const std::vector<JournalEvent>& journal) {
  std::vector<Delivery> deliveries;
  deliveries.reserve(journal.size());
  for (const JournalEvent& event : journal)
    deliveries.push_back({.sequence = event.sequence, .digest = event.digest});
  return deliveries;
}

// The part of its session that a push log covers.
std::vector<Delivery> covered_by(const PushLog& push, const std::vector<JournalEvent>& journal) {
  std::vector<Delivery> covered;
  const std::vector<Delivery>& pushed = push.log.deliveries;
  const Sequence first = pushed.empty() ? kMaxSequence : pushed.front().sequence;
  const Sequence last = push.is_ended ? push.log.last() : kMaxSequence;
  for (const JournalEvent& event : journal) {
    if (event.session_id != push.session_id) continue;
    const bool is_watched = push.after_index && event.index > *push.after_index;
    const bool has_begun = is_watched || event.sequence >= first;
    if (!has_begun || event.sequence > last) continue;
    covered.push_back({.sequence = event.sequence, .digest = static_cast<Digest>(event.index)});
  }
  return covered;
}

// The first difference; empty if there is none.
std::string compare(const PolledSession& polled, const std::vector<const JournalEvent*>& stored) {
  std::int64_t next = 0;
  for (const PolledEvent& event : polled.events) {
    if (event.index != next) {
      return fmt::format("{}: polling returned {} after {}", polled.session_id, event.index,
                         next - 1);
    }
    ++next;
  }
  for (std::size_t i = 0; i < stored.size(); ++i) {
    if (stored[i]->index != static_cast<std::int64_t>(i))
      return fmt::format("{}: the journal has {} after {}", polled.session_id, stored[i]->index,
                         static_cast<std::int64_t>(i) - 1);
    if (i >= polled.events.size()) return fmt::format("{}: polling lacks {}", polled.session_id, i);
    if (polled.events[i].digest != stored[i]->session_digest)
      return fmt::format("{}: {} differs from the journal", polled.session_id, i);
  }
  return {};
}

}  // namespace

Verdict judge_loss(const Ledger& ledger, const std::vector<JournalEvent>& journal) {
  Verdict verdict{.promise = Promise::kNoLoss, .summary = {}, .examples = {}};
  std::map<EventNumber, std::vector<Sequence>> stored;
  std::set<std::pair<std::string, std::string>> tasks;
  std::map<std::pair<std::string, std::string>, int> messages;
  for (const JournalEvent& event : journal) {
    if (event.number) stored[*event.number].push_back(event.sequence);
    if (!event.request_id.empty()) ++messages[{event.session_id, event.request_id}];
    if (!event.task_id.empty()) tasks.emplace(event.session_id, event.task_id);
  }
  for (const AcknowledgedEvent& event : ledger.events) {
    const auto found = stored.find(event.number);
    if (found == stored.end()) {
      verdict.fail(name_of(event.number) + " was acknowledged and is lost");
    } else if (found->second.front() != event.sequence) {
      verdict.fail(fmt::format("{} was acknowledged as {} and is {}", name_of(event.number),
                               event.sequence, found->second.front()));
    }
  }
  for (const auto& [number, sequences] : stored) {
    if (sequences.size() > 1)
      verdict.fail(fmt::format("{} is stored {} times", name_of(number), sequences.size()));
  }
  for (const auto& [message, times] : messages) {
    if (times > 1)
      verdict.fail(
          fmt::format("message {} of {} is stored {} times", message.second, message.first, times));
  }
  for (const EventNumber& number : ledger.refused) {
    if (stored.contains(number)) verdict.fail(name_of(number) + " was refused and is stored");
  }
  for (const AcknowledgedMessage& message : ledger.messages) {
    if (!tasks.contains({message.session_id, message.task_id}))
      verdict.fail(fmt::format("{} of {} was acknowledged and is lost", message.task_id,
                               message.session_id));
  }
  verdict.checked = ledger.events.size() + ledger.messages.size();
  verdict.summary = fmt::format("{} acknowledged events and {} messages, {} events stored",
                                ledger.events.size(), ledger.messages.size(), journal.size());
  if (!ledger.refused.empty())
    verdict.summary += fmt::format(", {} refused", ledger.refused.size());
  return verdict;
}

Verdict judge_delivery(const std::vector<WatchLog>& watchers, const std::vector<PushLog>& pushes,
                       const std::vector<JournalEvent>& journal) {
  Verdict verdict{.promise = Promise::kExactlyOnce, .summary = {}, .examples = {}};
  const auto add = [&](const WatchLog& log, const std::vector<Delivery>& expected) {
    const WatchCheck check = check_watch(log, expected);
    verdict.checked += check.delivered;
    fail_all(verdict, check.faults);
    fail_all(verdict, check.holes);
    fail_all(verdict, check.wrong_gaps);
    if (check.announced > 0) {
      verdict.fail(fmt::format("{}: a gap hides {} events that the journal has", log.watcher,
                               check.announced));
    }
  };
  const std::vector<Delivery> all = deliveries_of(journal);
  for (const WatchLog& log : watchers)
    add(log, all);
  std::uint64_t pushed = 0;
  for (const PushLog& push : pushes) {
    pushed += push.log.deliveries.size();
    add(push.log, covered_by(push, journal));
  }
  verdict.summary = fmt::format("{} deliveries to {} watchers, {} of them by MCP", verdict.checked,
                                watchers.size(), pushed);
  return verdict;
}

Verdict judge_indexes(const std::vector<PolledSession>& sessions,
                      const std::vector<JournalEvent>& journal) {
  Verdict verdict{.promise = Promise::kDenseIndexes, .summary = {}, .examples = {}};
  std::map<std::string, std::vector<const JournalEvent*>> stored;
  for (const JournalEvent& event : journal) {
    if (!event.session_id.empty()) stored[event.session_id].push_back(&event);
  }
  for (const PolledSession& session : sessions) {
    verdict.checked += session.events.size();
    const std::string difference = compare(session, stored[session.session_id]);
    if (!difference.empty()) verdict.fail(difference);
  }
  verdict.summary = fmt::format("{} events of {} sessions", verdict.checked, sessions.size());
  return verdict;
}

Verdict judge_gaps(const std::vector<WatchLog>& watchers, const std::vector<Sequence>& published) {
  Verdict verdict{.promise = Promise::kGapsAnnounced, .summary = {}, .examples = {}};
  std::vector<Delivery> all;
  all.reserve(published.size());
  for (const Sequence sequence : published)
    all.push_back({.sequence = sequence, .digest = 0});
  std::uint64_t announced = 0;
  for (WatchLog log : watchers) {
    for (Delivery& delivery : log.deliveries)
      delivery.digest = 0;  // the removed events cannot be read any more
    const WatchCheck check = check_watch(log, all);
    verdict.checked += log.gaps.size() + check.holes.size();
    announced += check.announced;
    fail_all(verdict, check.faults);
    fail_all(verdict, check.holes);
    fail_all(verdict, check.wrong_gaps);
  }
  verdict.summary =
      fmt::format("{} gaps, which announced {} removed events", verdict.checked, announced);
  return verdict;
}

Verdict judge_tasks(const Ledger& ledger, const std::vector<PolledSession>& sessions) {
  Verdict verdict{.promise = Promise::kTasksEnd, .summary = {}, .examples = {}};
  std::map<std::pair<std::string, std::string>, int> ends;
  std::uint64_t interrupted = 0;
  for (const PolledSession& session : sessions) {
    for (const PolledEvent& event : session.events) {
      if (!event.ended_task.empty()) ++ends[{session.session_id, event.ended_task}];
      interrupted += event.was_interrupted ? 1 : 0;
    }
  }
  for (const AcknowledgedMessage& message : ledger.messages) {
    const int times = ends[{message.session_id, message.task_id}];
    if (times == 0) {
      verdict.fail(fmt::format("{} of {} has not ended", message.task_id, message.session_id));
    } else if (times > 1) {
      verdict.fail(
          fmt::format("{} of {} has ended {} times", message.task_id, message.session_id, times));
    }
  }
  verdict.checked = ledger.messages.size();
  verdict.summary = fmt::format("{} tasks in {} sessions", ledger.messages.size(), sessions.size());
  if (interrupted > 0) verdict.summary += fmt::format(", {} interrupted", interrupted);
  return verdict;
}

Verdict judge_agreement(const std::vector<NodeJournal>& journals) {
  Verdict verdict{.promise = Promise::kNodesAgree, .summary = {}, .examples = {}};
  const std::vector<JournalEvent>& first = journals.front().events;
  const auto is_same = [](const JournalEvent& left, const JournalEvent& right) {
    return left.sequence == right.sequence && left.digest == right.digest;
  };
  for (const NodeJournal& journal : journals) {
    verdict.checked += journal.events.size();
    const auto [here, there] = std::mismatch(journal.events.begin(), journal.events.end(),
                                             first.begin(), first.end(), is_same);
    if (here == journal.events.end() && there == first.end()) continue;
    verdict.fail(fmt::format("{} has {} events, {} has {}; the first {} are the same", journal.node,
                             journal.events.size(), journals.front().node, first.size(),
                             there - first.begin()));
  }
  verdict.summary = fmt::format("{} events on each of {} nodes", first.size(), journals.size());
  return verdict;
}

Verdict judge_memory(const std::vector<std::uint64_t>& peaks, std::uint64_t limit) {
  Verdict verdict{.promise = Promise::kBoundedMemory, .summary = {}, .examples = {}};
  verdict.checked = peaks.size();
  std::uint64_t most = 0;
  for (const std::uint64_t peak : peaks) {
    most = std::max(most, peak);
    if (peak > limit) verdict.fail(fmt::format("the server used {} MiB", peak >> 20));
  }
  verdict.summary = fmt::format("at most {} MiB of {} in {} starts", most >> 20,
                                format_bytes(limit), peaks.size());
  return verdict;
}

Verdict judge_stops(const std::vector<ServerEnd>& ends, std::chrono::milliseconds limit) {
  Verdict verdict{.promise = Promise::kCleanStop, .summary = {}, .examples = {}};
  std::chrono::milliseconds slowest{0};
  for (const ServerEnd& end : ends) {
    if (!end.was_stopped) {
      verdict.fail("the server ended by itself with " + end.exit);
      continue;
    }
    ++verdict.checked;
    slowest = std::max(slowest, end.duration);
    if (!end.is_success) verdict.fail("after SIGTERM the server ended with " + end.exit);
    if (end.duration > limit)
      verdict.fail(fmt::format("the server took {} ms to stop", end.duration.count()));
    for (const std::string& process : end.left)
      verdict.fail("the server left a process behind: " + process);
  }
  verdict.summary = fmt::format("{} stops, the slowest in {} ms", verdict.checked, slowest.count());
  return verdict;
}

}  // namespace oriel
