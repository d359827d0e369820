#include "observed/hook_rules.h"

#include "base/text/json_line.h"
#include "base/text/json_text.h"
#include "transcript/question_tool.h"

#include <utility>

namespace oriel {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A tool's hook arrives within this time after a stop that overtook it.
constexpr seconds kLateTaskHook{2};
// Claude Code reports that it is idle after about a minute.
constexpr seconds kIdlePrompt{50};

bool has_just_ended(const ObservedTask& task, const Conversation& conversation) {
  return task.done_at && conversation.step().now.wall - *task.done_at < kLateTaskHook;
}

// The task of the hook; null: it is closed. Work of an unknown task opens one: its prompt was lost,
// or is still to come.
ObservedTask* task_of(const HookEvent& hook, Conversation& conversation) {
  TaskList& tasks = conversation.tasks();
  ObservedTask* const current = tasks.current();
  const WallTime at = conversation.step().at;
  if (hook.prompt_id.empty()) {
    const bool is_open = current && (!current->done_at || (!current->is_done_by_transcript &&
                                                           has_just_ended(*current, conversation)));
    return is_open ? current : &tasks.open({}, at);
  }
  if (ObservedTask* const known = tasks.find_by_prompt(hook.prompt_id)) return known;
  const bool is_closed = tasks.is_closed(hook.prompt_id);
  if (current && current->prompt_id.empty() && !current->done_at) {
    if (!is_closed) current->prompt_id = hook.prompt_id;
    return current;
  }
  return is_closed ? nullptr : &tasks.open(hook.prompt_id, at);
}

WaitingTurn waiting_text(BindKind kind, std::uint64_t fingerprint, const HookEvent& hook) {
  WaitingTurn waiting;
  waiting.kind = kind;
  waiting.fingerprint = fingerprint;
  waiting.prompt_id = hook.prompt_id;
  return waiting;
}

WaitingTurn waiting_call(BindKind kind, std::uint64_t fingerprint, const ToolCall& call) {
  WaitingTurn waiting;
  waiting.kind = kind;
  waiting.fingerprint = fingerprint;
  waiting.tool_call_id = call.id;
  return waiting;
}

void on_prompt(const HookEvent& hook, Conversation& conversation) {
  if (is_program_text(hook.prompt)) return;
  TaskList& tasks = conversation.tasks();
  StepDraft& step = conversation.step();
  SeenTurn seen;
  seen.kind = BindKind::kPrompt;
  seen.fingerprint = fingerprint(hook.prompt);
  seen.prompt_id = hook.prompt_id;
  seen.time = step.now.wall;
  const auto match = conversation.reconciler().match_hook(seen, step.now.wall);
  if (match.origin != Reconciler::HookOrigin::kNew) return;
  ObservedTask* const started = tasks.find_without_command(hook.prompt_id);
  ObservedTask& task = started ? *started : tasks.open(hook.prompt_id, step.at);
  if (task.prompt_id.empty()) task.prompt_id = hook.prompt_id;
  Turn turn = conversation.make_turn(TurnActor::kUser, TurnIntent::kCommand, hook.prompt, task);
  if (started) turn.timestamp = task.opened_at - milliseconds(1);
  task.command_turn_id = turn.turn_id;
  conversation.turns().add_provisional(
      std::move(turn), waiting_text(BindKind::kPrompt, seen.fingerprint, hook), step);
}

void on_stop(const HookEvent& hook, Conversation& conversation) {
  ObservedTask* const task = task_of(hook, conversation);
  if (!task || task->is_done_by_transcript) return;
  if (hook.last_text.empty()) return conversation.finish_by_hook(*task);
  StepDraft& step = conversation.step();
  SeenTurn seen;
  seen.kind = BindKind::kText;
  seen.task_id = task->task_id;
  seen.fingerprint = fingerprint(hook.last_text);
  seen.prompt_id = hook.prompt_id;
  seen.time = step.now.wall;
  const auto match = conversation.reconciler().match_hook(seen, step.now.wall);
  if (match.origin != Reconciler::HookOrigin::kNew) {
    if (match.task_id == task->task_id) conversation.finish_by_hook(*task);
    return;
  }
  Turn turn =
      conversation.make_turn(TurnActor::kAgent, TurnIntent::kCompletion, hook.last_text, *task);
  conversation.turns().add_provisional(std::move(turn),
                                       waiting_text(BindKind::kText, seen.fingerprint, hook), step);
  conversation.finish_by_hook(*task);
}

// By its type; older versions of Claude Code give the message alone.
bool is_notification(const HookEvent& hook, std::string_view type, std::string_view words) {
  if (!hook.notification_type.empty()) return hook.notification_type == type;
  return hook.message.find(words) != std::string::npos;
}

void on_notification(const HookEvent& hook, Conversation& conversation) {
  ObservedTask* const task = conversation.tasks().current();
  if (!task || task->done_at) return;
  const WallTime now = conversation.step().now.wall;
  if (is_notification(hook, "permission_prompt", "permission") ||
      is_notification(hook, "elicitation_dialog", "input for"))
    task->asked_at = now;
  // The agent has been idle for a while, so its stop was lost.
  if (is_notification(hook, "idle_prompt", "waiting for your input") &&
      now - task->opened_at > kIdlePrompt)
    conversation.finish_by_hook(*task);
}

// A question that several hooks may announce makes one turn.
void ask(const ToolCall& call, const ObservedTask& task, Conversation& conversation) {
  if (OpenQuestion* const known = conversation.questions().find(call)) {
    if (known->tool_call_id.empty() && !call.id.empty()) {
      known->tool_call_id = call.id;
      conversation.reconciler().set_call(known->turn_id, call.id);
    }
    return;
  }
  Turn turn = conversation.make_turn(TurnActor::kAgent, TurnIntent::kQuestion,
                                     question_text(call.name, call.input), task);
  turn.data = tool_question(call.name, call.id, call.input);
  conversation.questions().add_question(turn, call);
  conversation.turns().add_provisional(std::move(turn),
                                       waiting_call(BindKind::kQuestion, call.fingerprint, call),
                                       conversation.step());
}

void on_pre_tool(const HookEvent& hook, Conversation& conversation) {
  const ToolCall call = tool_call_of(hook);
  const ToolCalls& tools = conversation.tools();
  if (!call.id.empty() && tools.knows(call.id)) return;
  if (call.id.empty() && tools.has_ended_recently(call, conversation.step().now.wall)) return;
  ObservedTask* const task = task_of(hook, conversation);
  if (!task) return;
  const bool is_late = has_just_ended(*task, conversation);
  if (task->is_done_by_transcript && is_late) return;
  task->has_work = true;
  if (!is_late) task->done_at.reset();
  if (!call.id.empty()) conversation.start_tool(call, *task);
  if (is_question_tool(call.name)) ask(call, *task, conversation);
}

void add_answer(const ToolCall& call, const std::string& text, const ObservedTask& task,
                Conversation& conversation) {
  Turn turn = conversation.make_turn(TurnActor::kUser, TurnIntent::kAnswer, text, task);
  turn.data = ToolAnswer{.tool_call_id = call.id};
  conversation.turns().add_provisional(std::move(turn), waiting_call(BindKind::kAnswer, 0, call),
                                       conversation.step());
}

void on_post_tool_without_id(const ToolCall& call, Conversation& conversation) {
  const WallTime now = conversation.step().now.wall;
  conversation.resolve_questions(call, QuestionStatus::kAnswered);
  if (!conversation.tools().has_ended_recently(call, now))
    conversation.tools().note_ended(call.fingerprint, now);
  if (ObservedTask* const task = conversation.tasks().current()) task->asked_at.reset();
}

void on_post_tool(const HookEvent& hook, Conversation& conversation) {
  const ToolCall call = tool_call_of(hook);
  if (call.id.empty()) return on_post_tool_without_id(call, conversation);
  const bool is_running = conversation.tools().find(call.id) != nullptr;
  if (!is_running && conversation.tools().knows(call.id)) return;
  ObservedTask* const task = task_of(hook, conversation);
  if (!task) return;
  if (!is_running) conversation.start_tool(call, *task);
  task->has_work = true;
  task->asked_at.reset();
  const std::string output = output_text(hook.tool_response);
  if (is_question_tool(call.name)) {
    ask(call, *task, conversation);
    add_answer(call, output, *task, conversation);
  }
  conversation.resolve_questions(call, QuestionStatus::kAnswered);
  conversation.end_tool(call.id, {.is_ok = true, .output = output});
}

// The tool and its most telling argument, in one line.
std::string permission_text(const HookEvent& hook) {
  for (const std::string_view key : {"command", "file_path", "path", "url", "query"}) {
    const std::string_view argument = text_of(member(hook.tool_input, key));
    if (!argument.empty()) return hook.tool_name + ": " + std::string(argument);
  }
  return hook.tool_name + ": " + json_text(hook.tool_input);
}

void on_permission(const HookEvent& hook, Conversation& conversation) {
  ToolCall call = tool_call_of(hook);
  if (conversation.tools().has_ended_recently(call, conversation.step().now.wall)) return;
  if (conversation.questions().find(call)) return;
  ObservedTask* const task = task_of(hook, conversation);
  if (!task || has_just_ended(*task, conversation)) return;
  task->has_work = true;
  if (is_question_tool(call.name)) return ask(call, *task, conversation);
  if (const ObservedTool* const tool = conversation.tools().find_same(call.fingerprint))
    call.id = tool->tool_call_id;
  Turn turn = conversation.make_turn(TurnActor::kAgent, TurnIntent::kQuestion,
                                     permission_text(hook), *task);
  turn.data = tool_question(call.name, call.id, call.input);
  conversation.questions().add_permission(turn, call);
  conversation.turns().add(std::move(turn), conversation.step());
}

}  // namespace

void apply_hook(const HookEvent& hook, Conversation& conversation) {
  switch (hook.kind) {
    case HookKind::kUserPromptSubmit:
      return on_prompt(hook, conversation);
    case HookKind::kStop:
      return on_stop(hook, conversation);
    case HookKind::kNotification:
      return on_notification(hook, conversation);
    case HookKind::kPreToolUse:
      return on_pre_tool(hook, conversation);
    case HookKind::kPostToolUse:
      return on_post_tool(hook, conversation);
    case HookKind::kPermissionRequest:
      return on_permission(hook, conversation);
    case HookKind::kSessionStart:
    case HookKind::kSessionEnd:
      return;
  }
}

StateTrigger trigger_of(HookKind kind) {
  switch (kind) {
    case HookKind::kSessionStart:
      return StateTrigger::kSessionStartHook;
    case HookKind::kSessionEnd:
      return StateTrigger::kSessionEnd;
    case HookKind::kUserPromptSubmit:
      return StateTrigger::kUserPromptSubmitHook;
    case HookKind::kStop:
      return StateTrigger::kStopHook;
    case HookKind::kNotification:
      return StateTrigger::kNotificationHook;
    case HookKind::kPreToolUse:
      return StateTrigger::kPreToolUseHook;
    case HookKind::kPostToolUse:
      return StateTrigger::kPostToolUseHook;
    case HookKind::kPermissionRequest:
      return StateTrigger::kPermissionRequestHook;
  }
  return StateTrigger::kReconciliation;
}

}  // namespace oriel
