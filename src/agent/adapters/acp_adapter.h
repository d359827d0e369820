#pragma once
// Agent Client Protocol, version 1: spoken by most agents, including Oriel's demo agent.

#include "agent/adapters/acp_tool.h"
#include "agent/adapters/rpc_adapter.h"

namespace oriel {

class AcpAdapter final : public RpcAdapter {
 public:
  AgentStep start(const AgentStart& start) override;
  AgentStep quiet() override;

 private:
  boost::json::object envelope(Envelope) const override { return {{"jsonrpc", "2.0"}}; }

  bool on_request(std::string_view method, const boost::json::value& request) override;
  void on_notification(std::string_view method, const boost::json::value& params) override;
  void send_prompt(std::string_view text) override;
  void send_interrupt() override;
  void send_answer(const OpenQuestion& question, const PermissionAnswer& answer) override;

  // The handshake, in order.
  void initialized(const Response& response);
  void open_session();
  void resume_session();
  void load_session();
  void session_opened(const Response& response);
  void choose_model();
  void get_ready();

  void ask_permission(const boost::json::value& request);
  void update(const boost::json::value& update);
  void text_chunk(const boost::json::value& update);
  void update_tool(const boost::json::value& update);
  void call_tool(std::string_view id, const AcpTool& tool);
  void update_usage(const boost::json::value& update);
  void prompt_answered(const Response& response);
  Usage task_usage(const boost::json::value& result);

  AgentStart start_;
  boost::json::value agent_;    // result of initialize
  boost::json::value session_;  // result of session/new, session/load or session/resume
  std::string session_id_;
  bool is_replaying_ = false;  // the agent is sending the history of a loaded session

  bool has_prompt_ = false;               // a task lasts from the prompt to its response
  std::map<std::string, AcpTool> tools_;  // running
  int messages_ = 0;                      // of this task
  bool is_in_message_ = false;
  std::string message_name_;  // the agent's own message id, if any
  Usage total_;               // of all tasks, for an agent that reports the total
  double cost_before_ = 0;    // of all earlier tasks
  double cost_ = 0;
};

}  // namespace oriel
