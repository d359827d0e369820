#pragma once
// What all adapters share: JSON lines in and out, one task, and the questions that the agent waits
// for. An adapter of one language derives from it and fills in the words.

#include "agent/adapters/adapter.h"
#include "agent/adapters/agent_task.h"
#include "base/json_line.h"

#include <map>

namespace oriel {

class LineAdapter : public Adapter {
 public:
  AgentStep receive(std::string_view line) final;
  AgentStep prompt(std::string_view text) final;
  AgentStep cancel() final;  // nothing when no task runs
  AgentStep answer(std::string_view permission_id, const PermissionAnswer& answer) final;

 protected:
  // A question of the agent that has no answer yet.
  struct OpenQuestion {
    PermissionAsked asked;
    boost::json::value request;  // the message that asked it
  };

  // The words of a language.
  virtual void handle(const boost::json::value& message) = 0;
  virtual void send_prompt(std::string_view text) = 0;
  virtual void send_interrupt() = 0;
  virtual void send_answer(const OpenQuestion& question, const PermissionAnswer& answer) = 0;

  void send(const boost::json::object& message);

  void emit(AgentEvent event) { step_.events.push_back(std::move(event)); }

  // Says it, unless the task is being cancelled: then the agent is refused at once.
  void ask(OpenQuestion question);
  void withdraw(std::string_view permission_id);  // the agent does not wait any more

  // Also refuses what the agent still waits for.
  void end_task(TaskEnd reason, std::string_view detail = {});

  bool is_cancelling() const { return is_cancelling_; }

  // What followed from the call that is being handled.
  AgentStep take_step() { return std::exchange(step_, {}); }

  AgentStep step_;
  AgentTask task_{step_.events};

 private:
  void refuse_questions();

  std::map<std::string, OpenQuestion, std::less<>> questions_;  // by permission
  bool is_cancelling_ = false;
};

}  // namespace oriel
