#pragma once
// What `oriel verify` proves about a server: the promises, and a verdict on each.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

enum class Promise {
  kNoLoss,         // what was acknowledged is stored, once
  kExactlyOnce,    // a watcher receives each event once, in the journal's order
  kDenseIndexes,   // a session's events are numbered without holes, and polling returns them all
  kGapsAnnounced,  // a watcher that misses removed events gets their number
  kBoundedMemory,
  kTasksEnd,    // the task of each acknowledged message ends, once
  kCleanStop,   // SIGTERM ends the server and all its agents in time, with exit code 0
  kNodesAgree,  // all nodes of a cluster have the same events
};

constexpr std::size_t kPromises = 8;

// "no_acknowledged_loss"
std::string_view name_of(Promise promise);
std::optional<Promise> parse_promise(std::string_view name);
std::vector<std::string> promise_names();

struct Verdict {
  Promise promise = Promise::kNoLoss;
  std::string summary;                // with the counts: "1042 acknowledged events"
  std::uint64_t checked = 0;          // without anything to check, nothing is proven
  std::uint64_t broken = 0;           // times
  std::vector<std::string> examples;  // the first of these

  bool is_kept() const { return checked > 0 && broken == 0; }

  void fail(std::string example);
};

}  // namespace oriel
