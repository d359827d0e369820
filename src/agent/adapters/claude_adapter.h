#pragma once
// Claude Code's stream-json, including its control channel for permissions and interrupts.

#include "agent/adapters/line_adapter.h"

namespace oriel {

class ClaudeAdapter final : public LineAdapter {
 public:
  // The UUID for a new conversation, because the program reports one only after the first prompt.
  explicit ClaudeAdapter(std::string new_session_id);

  std::vector<std::string> arguments(const AgentStart& start) const override;
  AgentStep start(const AgentStart& start) override;

 private:
  void handle(const boost::json::value& message) override;
  void send_prompt(std::string_view text) override;
  void send_interrupt() override;
  void send_answer(const OpenQuestion& question, const PermissionAnswer& answer) override;

  void control_asked(const boost::json::value& message);
  void ask_permission(const boost::json::value& message);
  void control_answered(const boost::json::value& response);
  void stream_event(const boost::json::value& event);
  void text_delta(std::string_view text);
  void assistant_said(const boost::json::value& message);
  void text_finished(std::string_view text);
  void tools_answered(const boost::json::value& message);
  void result(const boost::json::value& result);

  std::string session_id_;
  bool is_resuming_ = false;
  bool is_ready_ = false;
  int last_control_ = 0;
  int texts_ = 0;              // of all tasks
  bool is_text_open_ = false;  // the latest text is unfinished
  double cost_ = 0;            // of this process so far
};

}  // namespace oriel
