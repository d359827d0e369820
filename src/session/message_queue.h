#pragma once
// The messages that a session accepts: recognizes repeated requests and queues the others.

#include "base/event/session_event.h"
#include "session/session_state.h"
#include "session/session_step.h"

#include <cstdint>
#include <optional>
#include <string>

namespace oriel {

// A message was accepted, now or (is_repeat) before.
struct MessageTaken {
  std::string task_id;
  std::string turn_id;
  std::int64_t last_index = -1;  // the task's events come after this one
  std::size_t queued = 0;        // messages that wait now
  bool is_repeat = false;
  std::string permission_id = {};  // of the question that it answers; empty: it is a message
  SessionStep step;
};

struct UserMessage {
  std::string text;                       // as people see it
  std::string prompt = {};                // as the agent gets it; empty: the text
  std::string request_id = {};            // empty: none
  std::string by = {};                    // who
  std::string title = {};                 // for a session that has none
  std::optional<TurnOrigin> origin = {};  // of a message that was not typed
  bool may_answer = true;                 // its sender may answer questions
};

// A view of the queue and the accepted requests in a session's state. Lives for one call.
class MessageQueue {
 public:
  struct Limits {
    std::size_t max_queued = 0;
    std::size_t max_remembered = 0;
  };

  MessageQueue(SessionState& state, Limits limits) : state_(state), limits_(limits) {}

  // What was returned for this request; none: it is new, too old, or has no id.
  std::optional<MessageTaken> repeated(const std::string& request_id) const;

  // Keeps the newest requests. An empty id is not remembered.
  void remember(std::string request_id, const MessageTaken& taken);

  // Emits the message as a task of its own and queues it. Fails if the session has ended or too
  // many messages wait. The caller sets `queued` and `step` of the result.
  Result<MessageTaken> push(UserMessage said, StepBuilder& step);

  // The oldest message. There must be one.
  QueuedMessage pop();

  // Completes the tasks of all queued messages.
  void drop_all(const event::Completion& completion, StepBuilder& step);

 private:
  SessionState& state_;
  Limits limits_;
};

}  // namespace oriel
