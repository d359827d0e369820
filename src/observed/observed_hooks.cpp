// What follows from the hooks of an observed agent.

#include "base/json_line.h"
#include "base/json_text.h"
#include "observed/observed_agent.h"
#include "transcript/question_tool.h"

#include <algorithm>

namespace oriel {
namespace {

using std::chrono::seconds;

// A tool's hook comes less than this after the stop that overtook it.
constexpr auto kLateHook = seconds(2);
// Claude Code says that it waits when it has waited this long.
constexpr auto kIdlePrompt = seconds(50);

// What the tool would do, in one line.
std::string permission_text(const HookEvent& hook) {
  for (const std::string_view key : {"command", "file_path", "path", "url", "query"}) {
    const std::string_view what = text_of(member(hook.tool_input, key));
    if (!what.empty()) return hook.tool_name + ": " + std::string(what);
  }
  return hook.tool_name + ": " + json_text(hook.tool_input);
}

bool says(const HookEvent& hook, std::string_view type, std::string_view words) {
  if (!hook.notification_type.empty()) return hook.notification_type == type;
  return hook.message.find(words) != std::string::npos;
}

}  // namespace

ObservedStep ObservedAgent::on_hook(const HookEvent& hook, Moment now) {
  Work work = begin(now);
  state_.heard_at = now.wall;
  state_.silence = Silence::kNone;
  state_.is_imported = false;
  note_who(hook);
  create(work);
  if (hook.kind == HookKind::kSessionEnd) {
    end_session(hook.reason.empty() ? "the agent says so" : hook.reason, work);
    return finish(std::move(work));
  }
  // A fork says first that it resumes the session it was made of: only what follows shows which.
  if (hook.kind != HookKind::kSessionStart) revive(work);
  if (!hook.subagent_id.empty()) return finish(std::move(work));
  switch (hook.kind) {
    case HookKind::kUserPromptSubmit:
      on_prompt(hook, work);
      break;
    case HookKind::kStop:
      on_stop(hook, work);
      break;
    case HookKind::kNotification:
      on_notification(hook, work);
      break;
    case HookKind::kPreToolUse:
      on_pre_tool(hook, work);
      break;
    case HookKind::kPostToolUse:
      on_post_tool(hook, work);
      break;
    case HookKind::kPermissionRequest:
      on_permission(hook, work);
      break;
    case HookKind::kSessionStart:
    case HookKind::kSessionEnd:
      break;
  }
  bound_tasks(work);
  settle_state(name_of(hook.kind), work);
  return finish(std::move(work));
}

void ObservedAgent::note_who(const HookEvent& hook) {
  if (state_.agent.empty()) state_.agent = "claude";
  if (state_.cwd.empty()) state_.cwd = hook.cwd;
  const bool is_resumption = hook.kind == HookKind::kSessionStart && hook.source == "resume";
  if (hook.pid && !is_resumption) state_.pid = hook.pid;  // of a fork it would be another's
  if (std::find(state_.native_ids.begin(), state_.native_ids.end(), hook.session_id) ==
      state_.native_ids.end())
    state_.native_ids.push_back(hook.session_id);
  const bool is_of_newest = state_.native_ids.back() == hook.session_id;
  if (!hook.transcript_path.empty() && is_of_newest && hook.transcript_path != state_.position.path)
    state_.wanted_path = hook.transcript_path;
}

bool ObservedAgent::is_late(const ObservedTask& task, const Work& work) const {
  return task.done_at && work.now.wall - *task.done_at < kLateHook;
}

// The task that the hook is of; none when that is over. A hook of work that is of no known task
// opens one: its prompt is lost, or still to come.
ObservedTask* ObservedAgent::task_of(const HookEvent& hook, Work& work) {
  ObservedTask* live = live_task();
  if (hook.prompt_id.empty()) {
    if (live && (!live->done_at || (!live->is_done_by_transcript && is_late(*live, work))))
      return live;
    return &open_task({}, work);
  }
  for (ObservedTask& task : state_.tasks) {
    if (task.prompt_id == hook.prompt_id) return &task;
  }
  const bool is_closed = std::find(state_.closed_prompts.begin(), state_.closed_prompts.end(),
                                   hook.prompt_id) != state_.closed_prompts.end();
  if (live && live->prompt_id.empty() && !live->done_at) {
    if (!is_closed) live->prompt_id = hook.prompt_id;
    return live;
  }
  return is_closed ? nullptr : &open_task(hook.prompt_id, work);
}

void ObservedAgent::on_prompt(const HookEvent& hook, Work& work) {
  if (is_program_text(hook.prompt)) return;
  const SeenTurn said{.kind = BindKind::kPrompt,
                      .turn_id = {},
                      .task_id = {},
                      .print = fingerprint(hook.prompt),
                      .prompt_id = hook.prompt_id,
                      .time = work.now.wall,
                      .hook_at = {}};
  if (reconciler_.match_hook(said, work.now.wall).is != Reconciler::HookIs::kNew) return;
  // Work that was heard of before its prompt.
  const auto joined =
      std::find_if(state_.tasks.begin(), state_.tasks.end(), [&](const ObservedTask& task) {
        const bool is_other =
            !task.prompt_id.empty() && !hook.prompt_id.empty() && task.prompt_id != hook.prompt_id;
        return task.command_turn_id.empty() && !task.has_entries && !is_other;
      });
  const bool is_late = joined != state_.tasks.end();
  ObservedTask& task = is_late ? *joined : open_task(hook.prompt_id, work);
  if (task.prompt_id.empty()) task.prompt_id = hook.prompt_id;
  Turn turn = new_turn(TurnActor::kUser, TurnIntent::kCommand, hook.prompt, task, work);
  if (is_late) turn.timestamp = task.opened_at - std::chrono::milliseconds(1);
  task.command_turn_id = turn.turn_id;
  add_provisional(std::move(turn),
                  {.kind = BindKind::kPrompt,
                   .turn_id = {},
                   .task_id = {},
                   .print = said.print,
                   .prompt_id = hook.prompt_id,
                   .tool_call_id = {},
                   .since = {}},
                  work);
}

void ObservedAgent::on_stop(const HookEvent& hook, Work& work) {
  ObservedTask* task = task_of(hook, work);
  if (!task || task->is_done_by_transcript) return;
  if (hook.last_text.empty()) return finish_by_hook(*task, work);
  const SeenTurn said{.kind = BindKind::kText,
                      .turn_id = {},
                      .task_id = task->task_id,
                      .print = fingerprint(hook.last_text),
                      .prompt_id = hook.prompt_id,
                      .time = work.now.wall,
                      .hook_at = {}};
  const auto match = reconciler_.match_hook(said, work.now.wall);
  if (match.is != Reconciler::HookIs::kNew) {
    if (match.task_id == task->task_id) finish_by_hook(*task, work);
    return;
  }
  Turn turn = new_turn(TurnActor::kAgent, TurnIntent::kCompletion, hook.last_text, *task, work);
  add_provisional(std::move(turn),
                  {.kind = BindKind::kText,
                   .turn_id = {},
                   .task_id = {},
                   .print = said.print,
                   .prompt_id = hook.prompt_id,
                   .tool_call_id = {},
                   .since = {}},
                  work);
  finish_by_hook(*task, work);
}

void ObservedAgent::on_notification(const HookEvent& hook, Work& work) {
  ObservedTask* task = live_task();
  if (!task || task->done_at) return;
  if (says(hook, "permission_prompt", "permission") ||
      says(hook, "elicitation_dialog", "input for"))
    task->asked_at = work.now.wall;
  // The agent has been at rest for a while: that it stopped was not heard.
  if (says(hook, "idle_prompt", "waiting for your input") &&
      work.now.wall - task->opened_at > kIdlePrompt)
    finish_by_hook(*task, work);
}

void ObservedAgent::on_pre_tool(const HookEvent& hook, Work& work) {
  const ToolCall call = call_of(hook);
  if (!call.id.empty() && knows_tool(call.id)) return;
  if (call.id.empty() && has_ended_lately(call, work.now.wall)) return;
  ObservedTask* task = task_of(hook, work);
  if (!task || (task->is_done_by_transcript && is_late(*task, work))) return;
  task->has_work = true;
  if (task->done_at && !is_late(*task, work)) task->done_at.reset();
  if (!call.id.empty()) open_tool(call, *task, work);
  if (is_question_tool(call.name)) ask(call, *task, work);
}

// A question that a hook told of: once, whichever hooks tell of it.
void ObservedAgent::ask(const ToolCall& call, const ObservedTask& task, Work& work) {
  if (OpenQuestion* known = find_question(call)) {
    if (known->tool_call_id.empty() && !call.id.empty()) {
      known->tool_call_id = call.id;
      reconciler_.know_call(known->turn_id, call.id);
    }
    return;
  }
  Turn turn = new_turn(TurnActor::kAgent, TurnIntent::kQuestion,
                       question_text(call.name, call.input), task, work);
  turn.data = question_data(call.name, call.id, call.input);
  add_question(turn, call, false);
  add_provisional(std::move(turn),
                  {.kind = BindKind::kQuestion,
                   .turn_id = {},
                   .task_id = {},
                   .print = call.print,
                   .prompt_id = {},
                   .tool_call_id = call.id,
                   .since = {}},
                  work);
}

void ObservedAgent::on_post_tool(const HookEvent& hook, Work& work) {
  const ToolCall call = call_of(hook);
  const bool is_known = !call.id.empty() && knows_tool(call.id);
  const bool is_open =
      std::any_of(state_.tools.begin(), state_.tools.end(),
                  [&](const ObservedTool& tool) { return tool.tool_call_id == call.id; });
  if (is_known && !is_open) return;
  if (call.id.empty()) {
    resolve_questions(call, "answered", work);
    if (!has_ended_lately(call, work.now.wall))
      note_ended(
          {.tool_call_id = {}, .print = call.print, .is_question = false, .at = work.now.wall});
    if (ObservedTask* task = live_task()) task->asked_at.reset();
    return;
  }
  ObservedTask* task = task_of(hook, work);
  if (!task) return;
  if (!is_open) open_tool(call, *task, work);
  task->has_work = true;
  task->asked_at.reset();
  if (is_question_tool(call.name)) {
    ask(call, *task, work);
    std::string text = output_text(hook.tool_response);
    Turn turn = new_turn(TurnActor::kUser, TurnIntent::kAnswer, std::move(text), *task, work);
    turn.data = {{"tool_call_id", call.id}};
    add_provisional(std::move(turn),
                    {.kind = BindKind::kAnswer,
                     .turn_id = {},
                     .task_id = {},
                     .print = 0,
                     .prompt_id = {},
                     .tool_call_id = call.id,
                     .since = {}},
                    work);
  }
  resolve_questions(call, "answered", work);
  close_tool(call.id, true, output_text(hook.tool_response), work);
}

void ObservedAgent::on_permission(const HookEvent& hook, Work& work) {
  ToolCall call = call_of(hook);
  if (has_ended_lately(call, work.now.wall)) return;
  if (find_question(call)) return;
  ObservedTask* task = task_of(hook, work);
  if (!task || (task->done_at && is_late(*task, work))) return;
  task->has_work = true;
  if (is_question_tool(call.name)) return ask(call, *task, work);
  const auto tool =
      std::find_if(state_.tools.begin(), state_.tools.end(),
                   [&](const ObservedTool& each) { return each.print == call.print; });
  if (tool != state_.tools.end()) call.id = tool->tool_call_id;
  Turn turn =
      new_turn(TurnActor::kAgent, TurnIntent::kQuestion, permission_text(hook), *task, work);
  turn.data = question_data(call.name, call.id, call.input);
  add_question(turn, call, true);
  add_turn(std::move(turn), work);
}

}  // namespace oriel
