#include "observed/entry_rules.h"

#include "transcript/question_tool.h"

#include <utility>

namespace oriel {
namespace {

void take_prompt(const TranscriptEntry& entry, Conversation& conversation) {
  Reconciler& reconciler = conversation.reconciler();
  if (!reconciler.take_entry(entry.id)) return;
  SeenTurn seen;
  seen.kind = BindKind::kPrompt;
  seen.fingerprint = fingerprint(entry.text);
  seen.prompt_id = entry.prompt_id;
  seen.time = conversation.step().at;
  const auto waiting = reconciler.bind(seen);
  std::string task_id;
  if (waiting)
    task_id = waiting->task_id;
  else if (const auto* started = conversation.tasks().find_without_command(entry.prompt_id))
    task_id = started->task_id;
  ObservedTask& task = conversation.enter_task(task_id);
  if (task.prompt_id.empty()) task.prompt_id = entry.prompt_id;
  if (waiting) {
    task.command_turn_id = waiting->turn_id;
    conversation.turns().bind(*waiting, entry, task.task_id, conversation.step());
    return;
  }
  Turn turn = conversation.make_turn(TurnActor::kUser, TurnIntent::kCommand, entry.text, task);
  task.command_turn_id = turn.turn_id;
  seen.turn_id = turn.turn_id;
  seen.task_id = task.task_id;
  reconciler.add_seen(std::move(seen));
  conversation.turns().add_found(std::move(turn), entry, conversation.step());
}

// The last text before this entry was not the agent's last.
void supersede_last_text(const ObservedTask& task, Conversation& conversation) {
  conversation.turns().set_intent(task.last_text_turn_id, TurnIntent::kProgress,
                                  conversation.step());
}

void take_text(const TranscriptEntry& entry, bool is_last, Conversation& conversation) {
  Reconciler& reconciler = conversation.reconciler();
  if (!reconciler.take_entry(entry.id)) return;
  StepDraft& step = conversation.step();
  ObservedTask& task = conversation.transcript_task();
  task.resume(step.at);
  supersede_last_text(task, conversation);
  SeenTurn seen;
  seen.kind = BindKind::kText;
  seen.task_id = task.task_id;
  seen.fingerprint = fingerprint(entry.text);
  seen.prompt_id = task.prompt_id;
  seen.time = step.at;
  if (const auto waiting = reconciler.bind(seen)) {
    // A stop that was taken for one of a later task was this task's.
    ObservedTask* const other =
        waiting->task_id == task.task_id ? nullptr : conversation.tasks().find(waiting->task_id);
    if (other && !other->is_done_by_transcript) other->done_at.reset();
    task.last_text_turn_id = waiting->turn_id;
    conversation.turns().bind(*waiting, entry, task.task_id, step);
  } else {
    const TurnIntent intent = is_last ? TurnIntent::kCompletion : TurnIntent::kProgress;
    Turn turn = conversation.make_turn(TurnActor::kAgent, intent, entry.text, task);
    task.last_text_turn_id = turn.turn_id;
    seen.turn_id = turn.turn_id;
    reconciler.add_seen(std::move(seen));
    conversation.turns().add_found(std::move(turn), entry, step);
  }
  if (entry.ends_task) conversation.finish_by_transcript(task);
}

// A hook opened this task because of a tool that belongs to another one. Nothing else shows that it
// exists.
void discard_if_empty(const std::string& task_id, Conversation& conversation) {
  const ObservedTask* const task = conversation.tasks().find(task_id);
  if (!task || task->has_entries || !task->command_turn_id.empty()) return;
  if (conversation.tools().has_running(task_id)) return;
  if (conversation.reconciler().has_waiting(BindKind::kText, task_id)) return;
  conversation.discard_task(task_id);
}

void take_question(const TranscriptEntry& entry, const ToolCall& call, const ObservedTask& task,
                   Conversation& conversation) {
  StepDraft& step = conversation.step();
  const auto waiting =
      conversation.reconciler().bind_call(BindKind::kQuestion, call.id, call.fingerprint);
  if (waiting) {
    conversation.turns().bind(*waiting, entry, task.task_id, step);
    if (OpenQuestion* const known = conversation.questions().find(call)) {
      known->tool_call_id = call.id;
      known->task_id = task.task_id;
    }
    return;
  }
  Turn turn = conversation.make_turn(TurnActor::kAgent, TurnIntent::kQuestion, entry.text, task);
  ToolQuestion question = tool_question(call.name, call.id, call.input);
  const bool is_open = conversation.tools().find(call.id) != nullptr;
  if (!is_open) question.status = QuestionStatus::kAnswered;
  turn.data = std::move(question);
  if (is_open) conversation.questions().add_question(turn, call);
  conversation.turns().add_found(std::move(turn), entry, step);
}

void take_tool_use(const TranscriptEntry& entry, Conversation& conversation) {
  const bool is_question = entry.kind == EntryKind::kQuestion;
  if (is_question && !conversation.reconciler().take_entry(entry.id)) return;
  const ToolCall call = tool_call_of(entry);
  ObservedTask& task = conversation.transcript_task();
  task.resume(conversation.step().at);
  supersede_last_text(task, conversation);
  task.last_text_turn_id.clear();
  const std::string task_id = task.task_id;
  if (conversation.tools().find(call.id)) {
    const std::string assumed = conversation.tools().move(call.id, task_id);
    if (assumed != task_id) discard_if_empty(assumed, conversation);
  } else if (!conversation.tools().knows(call.id)) {
    conversation.start_tool(call, task);
  }
  if (is_question) take_question(entry, call, *conversation.tasks().find(task_id), conversation);
}

void take_tool_result(const TranscriptEntry& entry, Conversation& conversation) {
  StepDraft& step = conversation.step();
  Reconciler& reconciler = conversation.reconciler();
  ObservedTask& task = conversation.transcript_task();
  task.resume(step.at);
  const std::string& id = entry.tool_call_id;
  if (const auto waiting = reconciler.bind_call(BindKind::kAnswer, id, 0)) {
    if (reconciler.take_entry(entry.id))
      conversation.turns().bind(*waiting, entry, task.task_id, step);
  } else if (conversation.tools().is_question(id) && reconciler.take_entry(entry.id)) {
    Turn turn = conversation.make_turn(TurnActor::kUser, TurnIntent::kAnswer, entry.text, task);
    turn.data = ToolAnswer{.tool_call_id = id};
    conversation.turns().add_found(std::move(turn), entry, step);
  }
  // The result also answers a permission that was asked for without the call's id.
  const ObservedTool* const tool = conversation.tools().find(id);
  const boost::json::value no_input;
  const ToolCall ended{
      .id = id, .name = {}, .input = no_input, .fingerprint = tool ? tool->fingerprint : 0};
  conversation.resolve_questions(
      ended, entry.is_error ? QuestionStatus::kRefused : QuestionStatus::kAnswered);
  conversation.end_tool(id, {.is_ok = !entry.is_error, .output = entry.text});
}

void take_end(const TranscriptEntry& entry, Conversation& conversation) {
  ObservedTask* const task = conversation.tasks().in_transcript();
  if (!task) return;
  if (entry.kind == EntryKind::kInterrupt) {
    supersede_last_text(*task, conversation);
    task->last_text_turn_id.clear();
  }
  conversation.finish_by_transcript(*task);
}

}  // namespace

void apply_entry(const TranscriptEntry& entry, const EntryContext& context,
                 Conversation& conversation) {
  // Repeated turns are recognized by the ids of their entries.
  if (entry.kind == EntryKind::kPrompt) return take_prompt(entry, conversation);
  if (entry.kind == EntryKind::kText) return take_text(entry, context.is_last_text, conversation);
  if (context.is_repeat) return;
  switch (entry.kind) {
    case EntryKind::kToolUse:
    case EntryKind::kQuestion:
      return take_tool_use(entry, conversation);
    case EntryKind::kToolResult:
      return take_tool_result(entry, conversation);
    case EntryKind::kTaskEnd:
    case EntryKind::kInterrupt:
      return take_end(entry, conversation);
    case EntryKind::kCompaction:
      return conversation.step().publish(observed_event(
          conversation.state(), event::Notice{.text = "the conversation was compacted"},
          conversation.step().at));
    case EntryKind::kPrompt:
    case EntryKind::kText:
    case EntryKind::kMeta:
      return;
  }
}

bool is_last_text(const std::vector<TranscriptEntry>& entries, std::size_t index) {
  if (entries[index].kind != EntryKind::kText) return false;
  for (std::size_t i = index + 1; i < entries.size(); ++i) {
    if (entries[i].is_sidechain || entries[i].kind == EntryKind::kMeta) continue;
    if (entries[i].kind == EntryKind::kTaskEnd) return true;
    if (entries[i].kind != EntryKind::kPrompt) return false;
    break;
  }
  return entries[index].ends_task;
}

StateTrigger trigger_of(EntryKind kind) {
  switch (kind) {
    case EntryKind::kPrompt:
      return StateTrigger::kPrompt;
    case EntryKind::kQuestion:
      return StateTrigger::kQuestion;
    case EntryKind::kTaskEnd:
      return StateTrigger::kTaskEnd;
    case EntryKind::kInterrupt:
      return StateTrigger::kInterrupt;
    default:
      return StateTrigger::kWork;
  }
}

}  // namespace oriel
