#pragma once
// The tasks of an observed agent with their turns, tools and questions, during one step. Keeps them
// consistent: the end of a task ends its tools, dismisses its questions and withdraws provisional
// turns that the transcript lacks. Pure.

#include "observed/observed_events.h"
#include "observed/observed_state.h"
#include "observed/observed_step.h"
#include "observed/turn_book.h"

#include <string>
#include <string_view>
#include <vector>

namespace oriel {

class Conversation {
 public:
  Conversation(ObservedState& state, TurnBook& turns, StepDraft& step)
      : state_(state), turns_(turns), step_(step) {}

  const ObservedState& state() const { return state_; }

  TaskList& tasks() { return state_.tasks; }

  ToolCalls& tools() { return state_.tools; }

  OpenQuestions& questions() { return state_.questions; }

  TurnBook& turns() { return turns_; }

  Reconciler& reconciler() { return turns_.reconciler(); }

  StepDraft& step() { return step_; }

  const StepDraft& step() const { return step_; }

  // A turn of this task at the time of the step, still to be added to turns().
  Turn make_turn(TurnActor actor, TurnIntent intent, std::string text, const ObservedTask& task);

  // The transcript has reached this task, or, without an id, one that no hook has announced. The
  // task before it is over.
  ObservedTask& enter_task(const std::string& task_id);

  // The task that the transcript has reached; enters one if there is none.
  ObservedTask& transcript_task();

  void finish_by_hook(ObservedTask& task);
  void finish_by_transcript(ObservedTask& task);

  // Ends all tasks with the session.
  void cut_tasks();

  // Removes a task that never existed and moves its tools and questions to the current one.
  void discard_task(const std::string& task_id);

  // Closes the oldest tasks beyond TaskList::kMaxTasks, which is needed without a transcript.
  void limit_tasks();

  // The last text of a finished task is its completion, unless a hook reported a later one. Of
  // other tasks it is progress.
  void classify_last_text(ObservedTask& task);

  void start_tool(const ToolCall& call, const ObservedTask& task);
  void end_tool(const std::string& tool_call_id, const ToolOutcome& outcome);
  void end_tools(const std::string& task_id);  // without a result

  // The tool was used or rejected, so its questions have this status.
  void resolve_questions(const ToolCall& call, QuestionStatus status);

  // Withdraws provisional turns from before this time: the transcript will not contain them any
  // more.
  void withdraw_before(WallTime time);

 private:
  void dismiss_questions(std::string_view task_id);
  void resolve(const std::vector<OpenQuestion>& resolved, QuestionStatus status);
  void withdraw(const std::vector<WaitingTurn>& orphans);
  void withdraw_texts(const std::string& task_id);

  ObservedState& state_;
  TurnBook& turns_;
  StepDraft& step_;
};

}  // namespace oriel
