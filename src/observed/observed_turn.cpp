// How an observed agent's turns are made, bound to the transcript, changed and withdrawn.

#include "base/text_hash.h"
#include "observed/observed_agent.h"

#include <algorithm>

namespace oriel {
namespace {

constexpr std::size_t kMaxLastText = 500;
constexpr std::size_t kMaxTitle = 80;

bool is_inside_character(char byte) {
  return (static_cast<unsigned char>(byte) >> 6) == 2;
}

// Both are cut between characters.
std::string tail_of(const std::string& text) {
  std::size_t first = text.size() > kMaxLastText ? text.size() - kMaxLastText : 0;
  while (first < text.size() && first > 0 && is_inside_character(text[first]))
    ++first;
  return text.substr(first);
}

std::string title_of(std::string_view text) {
  text = trimmed(text);
  text = text.substr(0, text.find('\n'));
  std::size_t end = std::min(text.size(), kMaxTitle);
  while (end > 0 && end < text.size() && is_inside_character(text[end]))
    --end;
  return std::string(text.substr(0, end));
}

}  // namespace

Turn ObservedAgent::new_turn(TurnActor actor, TurnIntent intent, std::string text,
                             const ObservedTask& task, Work& work) {
  Turn turn;
  turn.turn_id = new_turn_id();
  turn.session_id = state_.session_id;
  turn.project_id = state_.project_id;
  turn.task_id = task.task_id;
  turn.actor = actor;
  turn.intent = intent;
  turn.text = std::move(text);
  turn.timestamp = work.at;
  turn.source = TurnSource::kHook;
  turn.ordinal = state_.next_ordinal++;
  return turn;
}

Turn& ObservedAgent::add_turn(Turn turn, Work& work) {
  ++state_.turns;
  state_.task_id = turn.task_id;
  note_text(turn);
  if (!work.is_import) work.step.events.push_back(turn_created_event(turn));
  work.touched.push_back(turn.turn_id);  // no search: it is new
  const std::string turn_id = turn.turn_id;
  return turns_[turn_id] = std::move(turn);
}

void ObservedAgent::note_text(const Turn& turn) {
  if (turn.actor == TurnActor::kAgent) state_.last_text = tail_of(turn.text);
  if (state_.title.empty() && turn.intent == TurnIntent::kCommand)
    state_.title = title_of(turn.text);
}

// Of a hook: waits for its entry.
Turn& ObservedAgent::add_provisional(Turn turn, WaitingTurn waiting, Work& work) {
  waiting.turn_id = turn.turn_id;
  waiting.task_id = turn.task_id;
  waiting.since = work.now.wall;
  reconciler_.wait(std::move(waiting));
  return add_turn(std::move(turn), work);
}

// Of an entry that no hook has told of.
Turn& ObservedAgent::add_found(Turn turn, const TranscriptEntry& entry, Work& work) {
  turn.entry_id = entry.id;
  turn.timestamp_source = work.entry_time ? TimestampSource::kTranscript : TimestampSource::kServer;
  turn.source = work.is_import ? TurnSource::kImport : TurnSource::kReconciliation;
  state_.last_entry_ordinal = turn.ordinal;
  Turn& added = add_turn(std::move(turn), work);
  if (!work.is_import) work.step.events.push_back(turn_detected_event(added));
  return added;
}

// The entry knows better than the hook what was said, when, and for what.
Turn& ObservedAgent::bind_turn(const WaitingTurn& waiting, const TranscriptEntry& entry,
                               const ObservedTask& task, Work& work) {
  Turn& turn = turns_.at(waiting.turn_id);
  const WallTime old_time = turn.timestamp;
  const bool is_moved = turn.task_id != task.task_id;
  const bool is_other_text = trimmed(turn.text) != trimmed(entry.text);
  turn.entry_id = entry.id;
  turn.text = entry.text;
  turn.task_id = task.task_id;
  turn.timestamp = work.at;
  if (work.entry_time) turn.timestamp_source = TimestampSource::kTranscript;
  // Within one millisecond the transcript's order counts, not that of hooks.
  if (turn.ordinal < state_.last_entry_ordinal) turn.ordinal = state_.next_ordinal++;
  state_.last_entry_ordinal = turn.ordinal;
  if (is_moved) reconciler_.move(turn.turn_id, task.task_id);
  touch(turn.turn_id, work);
  if (turn.timestamp != old_time)
    update(turn, {.update_type = "timestamp_correction", .old_timestamp = old_time}, work);
  else if (is_moved || is_other_text)
    update(turn, {.update_type = is_moved ? "task" : "text", .old_timestamp = {}}, work);
  work.step.events.push_back(turn_detected_event(turn));
  return turn;
}

void ObservedAgent::update(Turn& turn, const TurnChange& change, Work& work) {
  if (!work.is_import) work.step.events.push_back(turn_updated_event(turn, change));
  touch(turn.turn_id, work);
}

void ObservedAgent::touch(const std::string& turn_id, Work& work) {
  // From the end: what changes is mostly what has just been said.
  if (std::find(work.touched.rbegin(), work.touched.rend(), turn_id) == work.touched.rend())
    work.touched.push_back(turn_id);
}

void ObservedAgent::set_intent(const std::string& turn_id, TurnIntent intent, Work& work) {
  const auto found = turns_.find(turn_id);
  if (found == turns_.end() || found->second.intent == intent) return;
  found->second.intent = intent;
  update(found->second, {.update_type = "intent", .old_timestamp = {}}, work);
}

// What hooks told of before this time is in the transcript by now, or never will be.
void ObservedAgent::withdraw_passed(WallTime time, Work& work) {
  withdraw(reconciler_.take_orphans([&](const WaitingTurn& turn) { return turn.since < time; }),
           work);
  std::vector<std::string> passed;
  for (const ObservedTask& task : state_.tasks) {
    if (!task.has_entries && task.command_turn_id.empty() && task.opened_at < time)
      passed.push_back(task.task_id);
  }
  for (const std::string& task_id : passed)
    unmake_task(task_id);
}

// The transcript does not have them: they were said twice, or never taken.
void ObservedAgent::withdraw(const std::vector<WaitingTurn>& orphans, Work& work) {
  for (const WaitingTurn& orphan : orphans) {
    const auto found = turns_.find(orphan.turn_id);
    if (found == turns_.end()) continue;
    work.step.events.push_back(
        turn_updated_event(found->second, {.update_type = "withdrawn", .old_timestamp = {}}));
    std::erase(work.touched, orphan.turn_id);
    turns_.erase(found);
    --state_.turns;
    work.step.withdrawn.push_back(orphan.turn_id);
    std::erase_if(state_.questions,
                  [&](const OpenQuestion& each) { return each.turn_id == orphan.turn_id; });
    const ObservedTask* task = find_task(orphan.task_id);
    if (orphan.kind == BindKind::kPrompt && task && !task->has_entries) unmake_task(orphan.task_id);
  }
}

}  // namespace oriel
