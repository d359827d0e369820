#pragma once
// The common part of all adapters: JSON lines, the current task, and pending permission requests.
// Each protocol derives from it.

#include "agent/adapters/adapter.h"
#include "agent/adapters/agent_task.h"

#include <map>

namespace oriel {

class LineAdapter : public Adapter {
 public:
  AgentStep receive_parsed(std::optional<boost::json::value> message) final;
  AgentStep prompt(std::string_view text) final;
  AgentStep cancel() final;  // no effect without a task
  AgentStep answer(std::string_view permission_id, const PermissionAnswer& answer) final;

 protected:
  // A pending question of the agent.
  struct OpenQuestion {
    PermissionAsked asked;
    boost::json::value request;  // the original message
  };

  // Implemented per protocol.
  virtual void handle(const boost::json::value& message) = 0;
  virtual void send_prompt(std::string_view text) = 0;
  virtual void send_interrupt() = 0;
  virtual void send_answer(const OpenQuestion& question, const PermissionAnswer& answer) = 0;

  void send(const boost::json::object& message);

  void emit(AgentEvent event) { step_.events.push_back(std::move(event)); }

  // Emits the question, or rejects it at once while the task is being cancelled.
  void ask(OpenQuestion question);
  void withdraw(std::string_view permission_id);  // the agent no longer waits

  // Also rejects pending questions.
  void end_task(TaskEnd reason, std::string_view detail = {});

  bool is_cancelling() const { return is_cancelling_; }

  // The step of the call in progress.
  AgentStep take_step() { return std::exchange(step_, {}); }

  AgentStep step_;
  AgentTask task_{step_.events};

 private:
  void refuse_questions();

  std::map<std::string, OpenQuestion, std::less<>> questions_;  // by permission id
  bool is_cancelling_ = false;
};

}  // namespace oriel
