#pragma once
// Masks secrets in the events of an agent before the session gets them. Text arrives in pieces: an
// end that may begin a secret waits for the next piece. Pure.

#include "base/event/agent_event.h"
#include "base/text/redactor.h"
#include "session/session_step.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace oriel {

// Belongs to one agent.
class AgentRedactor {
 public:
  // Null: nothing is masked.
  explicit AgentRedactor(std::shared_ptr<const Redactor> redactor);

  // Returns the masked events. Held text comes before the next event of another kind.
  std::vector<AgentEvent> mask(std::vector<AgentEvent> events);

  // Returns the held text after the agent has exited.
  std::vector<AgentEvent> release();

  std::string mask(std::string text) const;

  // Masks text of users in events and turns, but not in commands to the agent.
  void mask(SessionStep& step) const;

  // Null: nothing is masked.
  const std::shared_ptr<const Redactor>& rules() const { return redactor_; }

 private:
  // An unfinished text.
  struct Held {
    std::string text;
    char before = '\0';  // the character in front of it
    std::string shown;   // the beginning of `text` that an event in between has released
  };

  std::string decide(Held& held, std::string piece) const;
  std::string interrupt(Held& held) const;
  void take(TextDelta delta, std::vector<AgentEvent>& out);
  void take(ThoughtDelta delta, std::vector<AgentEvent>& out);
  void release_thought(std::vector<AgentEvent>& out);
  void release_texts(std::vector<AgentEvent>& out);
  void drop(const std::string& message_id);

  std::shared_ptr<const Redactor> redactor_;
  std::map<std::string, Held> texts_;  // by message
  Held thought_;
};

// Masks the event if the session has joined it from masked pieces: a secret may have come together.
void mask_joined(SessionEvent& event, const Redactor& redactor);

}  // namespace oriel
