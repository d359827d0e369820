#pragma once
// Binds what hooks said to what the transcript says. A hook makes a provisional turn, which waits
// for its entry; an entry that comes first makes a turn, which waits for its hook. Either may come
// never, twice or in another order. Equal texts are told apart by order alone, and the transcript
// always wins: what it does not have is withdrawn, what it has is there once. Pure.

#include "base/time.h"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace oriel {

enum class BindKind { kPrompt, kText, kQuestion, kAnswer };

// What the same words have in common in a hook and in an entry, whatever space is around them.
// Stable: it is stored.
std::uint64_t fingerprint(std::string_view text);

// A provisional turn without an entry.
struct WaitingTurn {
  BindKind kind = BindKind::kPrompt;
  std::string turn_id;
  std::string task_id;
  std::uint64_t fingerprint = 0;  // of its text; of a question: of its tool and input
  std::string prompt_id;          // of what it is of, where its hook said so
  std::string tool_call_id;       // of questions and answers, where known
  WallTime since;                 // when its hook came

  bool operator==(const WaitingTurn&) const = default;
};

// A turn of which an entry, a hook or both have told.
struct SeenTurn {
  BindKind kind = BindKind::kPrompt;
  std::string turn_id;
  std::string task_id;
  std::uint64_t fingerprint = 0;
  std::string prompt_id;  // where known
  WallTime time;
  std::optional<WallTime> hook_at;  // none: its hook has not come

  bool operator==(const SeenTurn&) const = default;
};

struct ReconcilerState {
  std::vector<WaitingTurn> waiting;  // in the order of their hooks
  std::vector<SeenTurn> seen;        // the newest last; the last kMaxSeen

  static constexpr std::size_t kMaxSeen = 32;
  static constexpr std::size_t kMaxWaiting = 64;  // the oldest of more wait no longer

  bool operator==(const ReconcilerState&) const = default;
};

boost::json::object to_json(const ReconcilerState& state);
ReconcilerState read_reconciler_state(const boost::json::value& value);  // throws on another shape

// Lives in an ObservedAgent.
class Reconciler {
 public:
  Reconciler() = default;

  Reconciler(ReconcilerState state, std::unordered_set<std::string> entry_ids)
      : state_(std::move(state)), entry_ids_(std::move(entry_ids)) {}

  const ReconcilerState& state() const { return state_; }

  // True the first time: an entry that is seen again, in this file or another, makes nothing.
  bool take_entry(const std::string& entry_id) { return entry_ids_.insert(entry_id).second; }

  // A hook has come that says this. What is it of?
  enum class HookIs { kNew, kKnown, kRepeated };

  struct HookMatch {
    HookIs is = HookIs::kNew;
    std::string task_id;  // unless it is new
  };

  HookMatch match_hook(const SeenTurn& said, WallTime now);

  // It was new, and this provisional turn was made.
  void add_waiting(WaitingTurn turn);

  // An entry has come that says this: the provisional turn that it is of, which waits no more. The
  // prompt's id decides where both know it; else the words do, and of equal ones the first, but one
  // of this task before others.
  std::optional<WaitingTurn> bind(const SeenTurn& said);

  // The same by the tool's call; by its fingerprint only where the hook did not know the call.
  std::optional<WaitingTurn> bind_call(BindKind kind, std::string_view tool_call_id,
                                       std::uint64_t fingerprint);

  // The call of a provisional question is known by now.
  void set_call(std::string_view turn_id, const std::string& tool_call_id);

  // Nothing waited for the entry, and this turn was made.
  void add_seen(SeenTurn turn);

  // A turn goes to another task.
  void move(std::string_view turn_id, const std::string& task_id);

  // Provisional turns that the transcript will not have any more: `is_over` says so of
  // each. They wait no more.
  template <class Predicate>
  std::vector<WaitingTurn> take_orphans(Predicate is_over) {
    std::vector<WaitingTurn> orphans;
    std::erase_if(state_.waiting, [&](const WaitingTurn& turn) {
      if (!is_over(turn)) return false;
      orphans.push_back(turn);
      return true;
    });
    for (const WaitingTurn& orphan : orphans)
      forget(orphan.turn_id);
    return orphans;
  }

  bool has_waiting(BindKind kind, std::string_view task_id) const;

 private:
  void forget(std::string_view turn_id);

  ReconcilerState state_;
  std::unordered_set<std::string> entry_ids_;
};

}  // namespace oriel
