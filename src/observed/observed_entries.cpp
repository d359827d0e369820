// What follows from the transcript of an observed agent.

#include "observed/observed_agent.h"
#include "transcript/question_tool.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

using std::chrono::seconds;

// An entry that is so much younger than a provisional turn shows that the transcript has passed it.
constexpr auto kPassed = seconds(5);

constexpr std::size_t kMaxIdsOfOneTime = 64;

// A time that no clock can show is none: it would be the newest for ever, or cannot be stored.
constexpr auto kMaxAhead = std::chrono::hours(24);

std::optional<WallTime> believed(const std::optional<WallTime>& time, WallTime now) {
  if (!time || *time < WallTime{} || *time > now + kMaxAhead) return std::nullopt;
  return time;
}

// Whether the agent says no more after this text, as far as these entries tell.
bool is_last_text(const std::vector<TranscriptEntry>& entries, std::size_t at) {
  if (entries[at].kind != EntryKind::kText) return false;
  for (std::size_t i = at + 1; i < entries.size(); ++i) {
    if (entries[i].is_sidechain || entries[i].kind == EntryKind::kMeta) continue;
    if (entries[i].kind == EntryKind::kTurnEnd) return true;
    if (entries[i].kind != EntryKind::kPrompt) return false;
    break;
  }
  return entries[at].ends_turn;
}

std::string_view trigger_of(EntryKind kind) {
  switch (kind) {
    case EntryKind::kPrompt:
      return "prompt";
    case EntryKind::kQuestion:
      return "question";
    case EntryKind::kTurnEnd:
      return "turn_end";
    case EntryKind::kInterrupt:
      return "interrupt";
    default:
      return "work";
  }
}

}  // namespace

ObservedStep ObservedAgent::on_entries(const EntryBatch& news, Moment now) {
  Work work = begin(now);
  work.is_import = news.is_import;
  if (!news.entries.empty()) {
    state_.heard_at = now.wall;
    state_.silence = Silence::kNone;
  }
  if (news.is_import) state_.ended_at.reset();
  const bool is_other_file =
      !state_.position.path.empty() && state_.position.path != news.position.path;
  if (news.is_from_start || (is_other_file && !news.is_import)) expect_copies();
  // An agent that has a transcript keeps it, whatever else is imported.
  if (!is_other_file || !news.is_import) state_.position = news.position;
  if (state_.wanted_path == news.position.path) state_.wanted_path.clear();
  for (std::size_t i = 0; i < news.entries.size(); ++i) {
    const TranscriptEntry& entry = news.entries[i];
    work.entry_time = believed(entry.time, now.wall);
    work.at = work.entry_time.value_or(state_.last_entry_at.value_or(now.wall));
    work.is_last = is_last_text(news.entries, i);
    if (state_.agent.empty()) state_.agent = "claude";
    if (state_.cwd.empty()) state_.cwd = entry.cwd;
    if (entry.is_sidechain) continue;
    take(entry, work);
    if (news.is_import && work.entry_time)
      state_.created_at = std::min(state_.created_at, *work.entry_time);
  }
  for (ObservedTask& task : state_.tasks)
    settle_words(task, work);
  if (state_.last_entry_at) withdraw_passed(*state_.last_entry_at - kPassed, work);
  bound_tasks(work);
  settle_state("reconciliation", work);
  if (news.is_import) rest_imported(work);
  return finish(std::move(work));
}

void ObservedAgent::take(const TranscriptEntry& entry, Work& work) {
  create(work);
  const bool is_seen_again = is_copy(entry, work);
  note_time(entry, work);
  if (state_.ended_at && work.entry_time && *work.entry_time > *state_.ended_at) revive(work);
  switch (entry.kind) {
    case EntryKind::kPrompt:
      take_prompt(entry, work);
      break;
    case EntryKind::kText:
      take_text(entry, work);
      break;
    case EntryKind::kToolUse:
    case EntryKind::kQuestion:
      if (!is_seen_again) take_tool_use(entry, work);
      break;
    case EntryKind::kToolResult:
      if (!is_seen_again) take_tool_result(entry, work);
      break;
    case EntryKind::kTurnEnd:
    case EntryKind::kInterrupt:
      if (!is_seen_again) take_end(entry, work);
      break;
    case EntryKind::kCompaction:
      if (!is_seen_again && !work.is_import)
        emit("system", "session_event", work).text = "the conversation was compacted";
      break;
    case EntryKind::kMeta:
      if (state_.title.empty()) state_.title = entry.text;
      return;
  }
  settle_state(trigger_of(entry.kind), work);
}

// A file that goes on for another one, or was written anew, tells again what is known. Turns are
// known by their entries' ids; of all else the time decides.
void ObservedAgent::expect_copies() {
  state_.copied_until = state_.last_entry_at;
  state_.copied_ids = state_.last_entry_ids;
}

bool ObservedAgent::is_copy(const TranscriptEntry& entry, const Work& work) const {
  if (!state_.copied_until || work.at > *state_.copied_until) return false;
  return work.at < *state_.copied_until ||
         std::find(state_.copied_ids.begin(), state_.copied_ids.end(), entry.id) !=
             state_.copied_ids.end();
}

void ObservedAgent::note_time(const TranscriptEntry& entry, const Work& work) {
  const std::optional<WallTime>& time = work.entry_time;
  if (!time || (state_.last_entry_at && *time < *state_.last_entry_at)) return;
  if (state_.last_entry_at != time) state_.last_entry_ids.clear();
  state_.last_entry_at = time;
  if (state_.last_entry_ids.size() < kMaxIdsOfOneTime) state_.last_entry_ids.push_back(entry.id);
}

void ObservedAgent::take_prompt(const TranscriptEntry& entry, Work& work) {
  if (!reconciler_.take_entry(entry.id)) return;
  SeenTurn said{.kind = BindKind::kPrompt,
                .turn_id = {},
                .task_id = {},
                .print = fingerprint(entry.text),
                .prompt_id = entry.prompt_id,
                .time = work.at,
                .hook_at = {}};
  const auto waiting = reconciler_.bind(said);
  std::string task_id = waiting ? waiting->task_id : "";
  if (!waiting) {
    // Work that a hook told of, without its prompt.
    const auto joined =
        std::find_if(state_.tasks.begin(), state_.tasks.end(), [&](const ObservedTask& task) {
          const bool is_other = !task.prompt_id.empty() && !entry.prompt_id.empty() &&
                                task.prompt_id != entry.prompt_id;
          return task.command_turn_id.empty() && !task.has_entries && !is_other;
        });
    if (joined != state_.tasks.end()) task_id = joined->task_id;
  }
  ObservedTask& task = enter_task(task_id, work);
  if (task.prompt_id.empty()) task.prompt_id = entry.prompt_id;
  if (waiting) {
    task.command_turn_id = bind_turn(*waiting, entry, task, work).turn_id;
    return;
  }
  Turn turn = new_turn(TurnActor::kUser, TurnIntent::kCommand, entry.text, task, work);
  task.command_turn_id = turn.turn_id;
  said.turn_id = turn.turn_id;
  said.task_id = task.task_id;
  reconciler_.saw(std::move(said));
  add_found(std::move(turn), entry, work);
}

void ObservedAgent::take_text(const TranscriptEntry& entry, Work& work) {
  if (!reconciler_.take_entry(entry.id)) return;
  ObservedTask& task = transcript_task_for(work);
  continue_task(task, work);
  set_intent(task.last_text_turn_id, TurnIntent::kProgress, work);
  SeenTurn said{.kind = BindKind::kText,
                .turn_id = {},
                .task_id = task.task_id,
                .print = fingerprint(entry.text),
                .prompt_id = task.prompt_id,
                .time = work.at,
                .hook_at = {}};
  if (const auto waiting = reconciler_.bind(said)) {
    // A stop that was heard as one of a later task was of this one.
    ObservedTask* other = waiting->task_id == task.task_id ? nullptr : find_task(waiting->task_id);
    if (other && other->done_at && !other->is_done_by_transcript) other->done_at.reset();
    task.last_text_turn_id = bind_turn(*waiting, entry, task, work).turn_id;
  } else {
    const TurnIntent intent = work.is_last ? TurnIntent::kCompletion : TurnIntent::kProgress;
    Turn turn = new_turn(TurnActor::kAgent, intent, entry.text, task, work);
    task.last_text_turn_id = turn.turn_id;
    said.turn_id = turn.turn_id;
    reconciler_.saw(std::move(said));
    add_found(std::move(turn), entry, work);
  }
  if (entry.ends_turn) finish_by_transcript(task, work);
}

void ObservedAgent::take_tool_use(const TranscriptEntry& entry, Work& work) {
  const ToolCall call = call_of(entry);
  const bool asks = entry.kind == EntryKind::kQuestion;
  if (asks && !reconciler_.take_entry(entry.id)) return;
  ObservedTask& task = transcript_task_for(work);
  continue_task(task, work);
  set_intent(task.last_text_turn_id, TurnIntent::kProgress, work);
  task.last_text_turn_id.clear();
  const std::string task_id = task.task_id;
  const auto tool =
      std::find_if(state_.tools.begin(), state_.tools.end(),
                   [&](const ObservedTool& each) { return each.tool_call_id == call.id; });
  const bool is_over = tool == state_.tools.end() && knows_tool(call.id);
  if (tool != state_.tools.end()) {
    const std::string heard_as = std::exchange(tool->task_id, task_id);
    leave_heard_task(heard_as, task_id);
  } else if (!is_over) {
    open_tool(call, task, work);
  }
  if (!asks) return;
  ObservedTask& asking = *find_task(task_id);
  if (const auto waiting = reconciler_.bind_call(BindKind::kQuestion, call.id, call.print)) {
    bind_turn(*waiting, entry, asking, work);
    if (OpenQuestion* known = find_question(call)) {
      known->tool_call_id = call.id;
      known->task_id = task_id;
    }
    return;
  }
  Turn turn = new_turn(TurnActor::kAgent, TurnIntent::kQuestion, entry.text, asking, work);
  turn.data = question_data(call.name, call.id, call.input);
  if (is_over)
    turn.data["status"] = "answered";
  else
    add_question(turn, call, false);
  add_found(std::move(turn), entry, work);
}

// A task that was opened because of a tool whose task was not known, and has nothing else.
void ObservedAgent::leave_heard_task(const std::string& heard_as, const std::string& task_id) {
  const ObservedTask* task = find_task(heard_as);
  if (!task || heard_as == task_id || task->has_entries || !task->command_turn_id.empty()) return;
  const bool has_more =
      std::any_of(state_.tools.begin(), state_.tools.end(),
                  [&](const ObservedTool& tool) { return tool.task_id == heard_as; });
  if (!has_more && !reconciler_.has_waiting(BindKind::kText, heard_as)) unmake_task(heard_as);
}

void ObservedAgent::take_tool_result(const TranscriptEntry& entry, Work& work) {
  ObservedTask& task = transcript_task_for(work);
  continue_task(task, work);
  const std::string& id = entry.tool_call_id;
  const auto tool = std::find_if(state_.tools.begin(), state_.tools.end(),
                                 [&](const ObservedTool& each) { return each.tool_call_id == id; });
  const bool is_open = tool != state_.tools.end();
  if (const auto waiting = reconciler_.bind_call(BindKind::kAnswer, id, 0)) {
    if (reconciler_.take_entry(entry.id)) bind_turn(*waiting, entry, task, work);
  } else if (is_question_call(id) && reconciler_.take_entry(entry.id)) {
    Turn turn = new_turn(TurnActor::kUser, TurnIntent::kAnswer, entry.text, task, work);
    turn.data = {{"tool_call_id", id}};
    add_found(std::move(turn), entry, work);
  }
  // A permission that was asked without the call's id is answered by its tool's end, too.
  const boost::json::value none;
  const ToolCall ended{.id = id, .name = {}, .input = none, .print = is_open ? tool->print : 0};
  resolve_questions(ended, entry.is_error ? "refused" : "answered", work);
  close_tool(id, !entry.is_error, entry.text, work);
}

void ObservedAgent::take_end(const TranscriptEntry& entry, Work& work) {
  ObservedTask* task = transcript_task();
  if (!task) return;
  if (entry.kind == EntryKind::kInterrupt) {
    set_intent(task->last_text_turn_id, TurnIntent::kProgress, work);
    task->last_text_turn_id.clear();
  }
  finish_by_transcript(*task, work);
}

}  // namespace oriel
