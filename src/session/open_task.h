#pragma once
// The running task: its text, tool calls, usage and deadline. Pure.

#include "base/event/agent_event.h"
#include "base/event/usage.h"
#include "base/moment.h"
#include "session/assistant_text.h"
#include "session/session_step.h"

#include <optional>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <vector>

namespace oriel {

// Belongs to one session. Emits the events of the task, and grown text before any other event.
class OpenTask {
 public:
  OpenTask(std::string id, Moment began) : id_(std::move(id)), began_(began) {}

  // The task of a dead process, as stored in the session's document.
  OpenTask(std::string id, const std::vector<ToolAtWork>& tools, Moment now);

  const std::string& id() const { return id_; }

  void emit(EventPayload payload, StepBuilder& step);

  // Whether the event belongs to the task: an empty text, a call that has started before and a
  // result of no running call do not.
  bool accepts(const TextDelta& delta) const { return !delta.text.empty(); }

  bool accepts(const ThoughtDelta& delta) const { return !delta.text.empty(); }

  bool accepts(const TextFinished& finished) const { return !finished.text.empty(); }

  bool accepts(const ToolCalled& call) const { return !known_calls_.contains(call.id); }

  bool accepts(const ToolFinished& result) const;

  // Only for events that it accepts.
  void on(TextDelta delta, StepBuilder& step);
  void on(ThoughtDelta delta, StepBuilder& step);
  void on(TextFinished finished, StepBuilder& step);
  void on(const ToolCalled& call, StepBuilder& step);
  void on(const ToolFinished& result, StepBuilder& step);

  void drop(const TextDropped& dropped, StepBuilder& step);

  void update_usage(const Usage& usage) { update(usage_, usage); }

  // Emits text that is due.
  void show_due(StepBuilder& step);

  // Finishes text and tool calls and emits the completion.
  void complete(TaskEnd outcome, const std::string& detail, StepBuilder& step);

  // The agent must end the task by `deadline`. `by` is the principal; `has_failed`: the session
  // gave the task up, after its time limit or an unreadable line.
  void cancel(std::string by, SteadyTime deadline, bool has_failed);

  bool is_cancelled() const { return give_up_at_.has_value(); }

  bool has_failed() const { return has_failed_; }

  std::optional<SteadyTime> give_up_at() const { return give_up_at_; }

  Moment began() const { return began_; }

  const Usage& usage() const { return usage_; }

  std::optional<SteadyTime> next_due() const { return text_.next_due(); }

  std::vector<ToolAtWork> tools() const;

 private:
  struct RunningCall {
    std::string id;
    std::string name;
    Moment began;
  };

  void show(std::vector<ShownMessage> messages, StepBuilder& step);
  void show(ShownMessage message, StepBuilder& step);
  void close(const RunningCall& call, bool is_ok, std::string output, StepBuilder& step);

  std::string id_;
  Moment began_;
  AssistantText text_;
  std::vector<RunningCall> calls_;               // in the order they began
  std::unordered_set<std::string> known_calls_;  // also those that have ended
  Usage usage_;
  std::string cancelled_by_;
  bool has_failed_ = false;
  std::optional<SteadyTime> give_up_at_;
};

// An event that shows that the agent works on its task.
template <class Event>
concept IsWork = requires(const OpenTask& task, const std::remove_reference_t<Event>& event) {
  task.accepts(event);
};

}  // namespace oriel
