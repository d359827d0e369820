#pragma once
// The turns of an observed agent. A turn from a hook is provisional until the transcript has it; it
// is then bound to its entry and gets the entry's text, time and task, or it is withdrawn.
// Publishes these changes. Pure.

#include "base/event/turn.h"
#include "base/event/turn_event.h"
#include "observed/observed_step.h"
#include "observed/reconciler.h"
#include "observed/turn_summary.h"
#include "transcript/transcript_entry.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// Holds the turns that may still change; the others are in their documents only.
class TurnBook {
 public:
  // `turns` are all turns of the agent. `summary` is kept up to date, and outlives the book.
  TurnBook(TurnSummary& summary, ReconcilerState reconciler, const std::vector<Turn>& turns);
  TurnBook(const TurnBook&) = delete;
  TurnBook& operator=(const TurnBook&) = delete;

  Reconciler& reconciler() { return reconciler_; }

  const Reconciler& reconciler() const { return reconciler_; }

  // For the next turn.
  std::uint64_t take_ordinal() { return summary_.next_ordinal++; }

  // A turn that no transcript has: a permission.
  void add(Turn turn, StepDraft& step);

  // A turn from a hook. `waiting` identifies its entry.
  void add_provisional(Turn turn, WaitingTurn waiting, StepDraft& step);

  // A turn from an entry that no hook has announced.
  void add_found(Turn turn, const TranscriptEntry& entry, StepDraft& step);

  // The provisional turn is the one of this entry.
  void bind(const WaitingTurn& waiting, const TranscriptEntry& entry, const std::string& task_id,
            StepDraft& step);

  // Has no effect on turns that cannot change any more.
  void set_intent(const std::string& turn_id, TurnIntent intent, StepDraft& step);
  void set_question_status(const std::string& turn_id, QuestionStatus status, StepDraft& step);

  // Removes a provisional turn. False: it cannot change any more.
  bool withdraw(const std::string& turn_id, StepDraft& step);

  void set_title(std::string_view title);  // unless it has one

  // Moves the turns that were added, changed and withdrawn since the last call into the step, and
  // releases turns that cannot change any more.
  void finish(ObservedStep& step, const std::function<bool(const std::string&)>& may_change);

 private:
  void update(const Turn& turn, TurnChange change, StepDraft& step,
              std::optional<WallTime> old_time = {});
  void touch(const std::string& turn_id);

  TurnSummary& summary_;
  Reconciler reconciler_;
  std::map<std::string, Turn> turns_;   // by id
  std::vector<std::string> changed_;    // ids; each once
  std::vector<std::string> withdrawn_;  // ids
};

}  // namespace oriel
