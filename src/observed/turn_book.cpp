#include "observed/turn_book.h"

#include "base/text/text_hash.h"
#include "base/text/title.h"
#include "base/text/utf8.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

constexpr std::size_t kMaxLastText = 500;

std::unordered_set<std::string> entry_ids_of(const std::vector<Turn>& turns) {
  std::unordered_set<std::string> ids;
  for (const Turn& turn : turns) {
    if (!turn.entry_id.empty()) ids.insert(turn.entry_id);
  }
  return ids;
}

}  // namespace

TurnBook::TurnBook(TurnSummary& summary, ReconcilerState reconciler, const std::vector<Turn>& turns)
    : summary_(summary), reconciler_(std::move(reconciler), entry_ids_of(turns)) {
  for (const Turn& turn : turns)
    turns_.emplace(turn.turn_id, turn);
}

void TurnBook::add(Turn turn, StepDraft& step) {
  ++summary_.count;
  summary_.newest_task_id = turn.task_id;
  if (turn.actor == TurnActor::kAgent) summary_.last_text = last_bytes(turn.text, kMaxLastText);
  if (turn.intent == TurnIntent::kCommand && summary_.title.empty())
    summary_.title = title_of(turn.text);
  step.publish(turn_created_event(turn));
  changed_.push_back(turn.turn_id);
  std::string turn_id = turn.turn_id;
  turns_.emplace(std::move(turn_id), std::move(turn));
}

void TurnBook::add_provisional(Turn turn, WaitingTurn waiting, StepDraft& step) {
  waiting.turn_id = turn.turn_id;
  waiting.task_id = turn.task_id;
  waiting.since = step.now.wall;
  reconciler_.add_waiting(std::move(waiting));
  add(std::move(turn), step);
}

void TurnBook::add_found(Turn turn, const TranscriptEntry& entry, StepDraft& step) {
  turn.entry_id = entry.id;
  turn.timestamp_source = step.entry_time ? TimestampSource::kTranscript : TimestampSource::kServer;
  turn.source = step.is_import ? TurnSource::kImport : TurnSource::kReconciliation;
  summary_.last_entry_ordinal = turn.ordinal;
  const std::string turn_id = turn.turn_id;
  add(std::move(turn), step);
  step.publish(turn_detected_event(turns_.at(turn_id)));
}

void TurnBook::bind(const WaitingTurn& waiting, const TranscriptEntry& entry,
                    const std::string& task_id, StepDraft& step) {
  Turn& turn = turns_.at(waiting.turn_id);
  const WallTime old_time = turn.timestamp;
  const bool is_moved = turn.task_id != task_id;
  const bool is_other_text = trimmed(turn.text) != trimmed(entry.text);
  turn.entry_id = entry.id;
  turn.text = entry.text;
  turn.task_id = task_id;
  turn.timestamp = step.at;
  if (step.entry_time) turn.timestamp_source = TimestampSource::kTranscript;
  // Within one millisecond turns are in the order of the transcript, not of the hooks.
  if (turn.ordinal < summary_.last_entry_ordinal) turn.ordinal = take_ordinal();
  summary_.last_entry_ordinal = turn.ordinal;
  if (is_moved) reconciler_.move(turn.turn_id, task_id);
  touch(turn.turn_id);
  if (turn.timestamp != old_time)
    update(turn, TurnChange::kTimestampCorrection, step, old_time);
  else if (is_moved || is_other_text)
    update(turn, is_moved ? TurnChange::kTask : TurnChange::kText, step);
  step.publish(turn_detected_event(turn));
}

void TurnBook::set_intent(const std::string& turn_id, TurnIntent intent, StepDraft& step) {
  const auto found = turns_.find(turn_id);
  if (found == turns_.end() || found->second.intent == intent) return;
  found->second.intent = intent;
  update(found->second, TurnChange::kIntent, step);
}

void TurnBook::set_question_status(const std::string& turn_id, QuestionStatus status,
                                   StepDraft& step) {
  const auto found = turns_.find(turn_id);
  if (found == turns_.end()) return;
  auto* const question = std::get_if<ToolQuestion>(&found->second.data);
  if (!question) return;
  question->status = status;
  update(found->second, TurnChange::kAnswered, step);
}

bool TurnBook::withdraw(const std::string& turn_id, StepDraft& step) {
  const auto found = turns_.find(turn_id);
  if (found == turns_.end()) return false;
  step.publish(turn_updated_event(found->second, TurnChange::kWithdrawn));
  std::erase(changed_, turn_id);
  turns_.erase(found);
  --summary_.count;
  withdrawn_.push_back(turn_id);
  return true;
}

void TurnBook::set_title(std::string_view title) {
  if (summary_.title.empty()) summary_.title = title;
}

void TurnBook::finish(ObservedStep& step,
                      const std::function<bool(const std::string&)>& may_change) {
  for (const std::string& turn_id : changed_) {
    const auto found = turns_.find(turn_id);
    if (found == turns_.end()) continue;
    if (may_change(turn_id)) {
      step.turns.push_back(found->second);
    } else {
      step.turns.push_back(std::move(found->second));
      turns_.erase(found);
    }
  }
  changed_.clear();
  step.withdrawn = std::exchange(withdrawn_, {});
  std::erase_if(turns_, [&](const auto& each) { return !may_change(each.first); });
}

void TurnBook::update(const Turn& turn, TurnChange change, StepDraft& step,
                      std::optional<WallTime> old_time) {
  step.publish(turn_updated_event(turn, change, old_time));
  touch(turn.turn_id);
}

void TurnBook::touch(const std::string& turn_id) {
  // From the end: most changes concern the newest turns.
  if (std::find(changed_.rbegin(), changed_.rend(), turn_id) == changed_.rend())
    changed_.push_back(turn_id);
}

}  // namespace oriel
