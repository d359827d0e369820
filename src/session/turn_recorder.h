#pragma once
// Derives turns from the events of a hosted session. Pure.

#include "base/event/session_event.h"
#include "base/event/turn.h"
#include "session/session_step.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// The turn of the message that opens a task: it has the task's id.
std::string command_turn_of(std::string_view task_id);

// A message of a person is a command. The agent's messages are progress, and its last message is
// the completion. A permission is a question, and a person's decision the answer. Belongs to one
// session.
class TurnRecorder {
 public:
  TurnRecorder(std::string session_id, std::string project_id)
      : session_id_(std::move(session_id)), project_id_(std::move(project_id)) {}

  // Adds to a step the turns that its events make and the events about these turns, which follow
  // the others. `first_index` is the index of the step's first event. Returns the number of new
  // turns.
  std::uint64_t record(SessionStep& step, std::int64_t first_index);

  // Restores the open questions among the stored `turns` after a restart, so that their resolution
  // is recorded. Returns their permissions.
  std::vector<PendingPermission> restore(const std::vector<Turn>& turns);

 private:
  // What one call of record() makes.
  struct Draft {
    std::int64_t next_index;  // of the first of these events
    std::vector<SessionEvent> events = {};
    std::vector<Turn> turns = {};
    std::uint64_t added = 0;
  };

  // The agent's last message, which may still grow.
  struct LastMessage {
    std::string task_id;
    event::AssistantMessage message;
    std::int64_t index = -1;  // of its newest event
    WallTime time;
  };

  void on(const event::UserMessage& message, const SessionEvent& event, std::int64_t index,
          Draft& draft);
  void on(const event::AssistantMessage& message, const SessionEvent& event, std::int64_t index,
          Draft& draft);
  void on(const event::Completion& completion, const SessionEvent& event, std::int64_t index,
          Draft& draft);
  void on(const event::PermissionRequested& requested, const SessionEvent& event,
          std::int64_t index, Draft& draft);
  void on(const event::PermissionResolved& resolved, const SessionEvent& event, std::int64_t index,
          Draft& draft);

  void record_progress(Draft& draft);
  Turn new_turn(TurnActor actor, TurnIntent intent, std::string text,
                const SessionEvent& event) const;
  static const Turn& add(Turn turn, Draft& draft, std::optional<std::int64_t> message_index = {});
  static void settle(Turn question, PermissionStatus status, Draft& draft);

  std::string session_id_;
  std::string project_id_;
  LastMessage last_;
  std::map<std::string, Turn> questions_;  // open, by permission
};

}  // namespace oriel
