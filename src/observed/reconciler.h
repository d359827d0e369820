#pragma once
// Matches hooks with transcript entries. A hook makes a provisional turn, which waits for its
// entry; an entry that comes first makes a turn, which waits for its hook. Each may be lost,
// repeated or out of order. Equal texts are matched in their order. Pure.

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

// Equal for equal texts, except for white space around them. Stored: it must not change.
std::uint64_t fingerprint(std::string_view text);

// A provisional turn that waits for its entry.
struct WaitingTurn {
  BindKind kind = BindKind::kPrompt;
  std::string turn_id;
  std::string task_id;
  std::uint64_t fingerprint = 0;  // of the text; of a question: of tool and input
  std::string prompt_id;          // of its task; empty: unknown
  std::string tool_call_id;       // of questions and answers; empty: unknown
  WallTime since;                 // when its hook arrived

  bool operator==(const WaitingTurn&) const = default;
};

// A prompt or text that a hook, an entry or both have shown.
struct SeenTurn {
  BindKind kind = BindKind::kPrompt;
  std::string turn_id;
  std::string task_id;
  std::uint64_t fingerprint = 0;
  std::string prompt_id;  // empty: unknown
  WallTime time;
  std::optional<WallTime> hook_at;  // none: its hook has not arrived

  bool operator==(const SeenTurn&) const = default;
};

struct ReconcilerState {
  std::vector<WaitingTurn> waiting;  // in the order of the hooks; the last kMaxWaiting
  std::vector<SeenTurn> seen;        // the last kMaxSeen, the newest last

  static constexpr std::size_t kMaxSeen = 32;
  static constexpr std::size_t kMaxWaiting = 64;

  bool operator==(const ReconcilerState&) const = default;
};

boost::json::object to_json(const ReconcilerState& state);
ReconcilerState read_reconciler_state(const boost::json::value& value);  // throws if it is invalid

class Reconciler {
 public:
  Reconciler() = default;

  Reconciler(ReconcilerState state, std::unordered_set<std::string> entry_ids)
      : state_(std::move(state)), entry_ids_(std::move(entry_ids)) {}

  const ReconcilerState& state() const { return state_; }

  // True the first time: files may repeat entries.
  bool take_entry(const std::string& entry_id) { return entry_ids_.insert(entry_id).second; }

  // kKnown: an entry has shown the turn before. kRepeated: another hook has.
  enum class HookOrigin { kNew, kKnown, kRepeated };

  struct HookMatch {
    HookOrigin origin = HookOrigin::kNew;
    std::string task_id;  // empty: the hook is new
  };

  // Decides what the hook of this prompt or text is.
  HookMatch match_hook(const SeenTurn& shown, WallTime now);

  // Adds the provisional turn of a new hook.
  void add_waiting(WaitingTurn turn);

  // Removes and returns the provisional turn of an entry with this prompt or text. Prompts are
  // matched by their id if both have one; else by the text, the first of equal ones, those of the
  // same task before others.
  std::optional<WaitingTurn> bind(const SeenTurn& shown);

  // The same for the entry of a call: by its id, or by its fingerprint if the hook had no id.
  std::optional<WaitingTurn> bind_call(BindKind kind, std::string_view tool_call_id,
                                       std::uint64_t fingerprint);

  // Sets the call of a provisional question, which was unknown.
  void set_call(std::string_view turn_id, const std::string& tool_call_id);

  // Adds the turn of an entry that no provisional turn was waiting for.
  void add_seen(SeenTurn turn);

  // The turn belongs to another task.
  void move(std::string_view turn_id, const std::string& task_id);

  // Removes and returns the provisional turns that are over, as `is_over` decides.
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
