#pragma once
// Factory Droid's stream-jsonrpc in both generations: up to 0.99 only the state `idle` ends a task;
// later versions send agent_turn_completed with a reason.

#include "agent/adapters/rpc_adapter.h"

#include <optional>

namespace oriel {

class DroidAdapter final : public RpcAdapter {
 public:
  std::vector<std::string> arguments(const AgentStart&) const override;
  AgentStep start(const AgentStart& start) override;
  AgentStep close() override;

 private:
  boost::json::object envelope(Envelope kind) const override;
  boost::json::value request_id(std::int64_t number) const override;
  bool on_request(std::string_view method, const boost::json::value& request) override;
  void on_notification(std::string_view method, const boost::json::value& params) override;
  void send_prompt(std::string_view text) override;
  void send_interrupt() override;
  void send_answer(const OpenQuestion& question, const PermissionAnswer& answer) override;

  void session_opened(const Response& response);
  void ask_permission(const boost::json::value& request);
  void ask_person(const boost::json::value& request);
  void note(std::string_view type, const boost::json::value& notification);
  void state_changed(std::string_view state);
  void message_created(const boost::json::value& message);
  void turn_completed(const boost::json::value& notification);
  void usage_changed(const boost::json::value& total);
  void go_idle();

  AgentStart start_;
  std::string session_id_;

  bool has_worked_ = false;                // in this task; an earlier `idle` does not end it
  bool reports_completion_ = false;        // this version sends agent_turn_completed
  std::optional<std::string> completion_;  // its reason in this task
  std::optional<Usage> usage_;             // session total, if known
  std::optional<Usage> usage_before_;      // session total when the task began
};

}  // namespace oriel
