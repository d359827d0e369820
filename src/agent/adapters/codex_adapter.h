#pragma once
// Codex's app-server protocol: JSON-RPC without the "jsonrpc" member.

#include "agent/adapters/rpc_adapter.h"

#include <map>
#include <optional>

namespace oriel {

class CodexAdapter final : public RpcAdapter {
 public:
  std::vector<std::string> arguments(const AgentStart&) const override { return {"app-server"}; }

  AgentStep start(const AgentStart& start) override;

 private:
  boost::json::object envelope(Envelope) const override { return {}; }

  bool on_request(std::string_view method, const boost::json::value& request) override;
  void on_notification(std::string_view method, const boost::json::value& params) override;
  void send_prompt(std::string_view text) override;
  void send_interrupt() override;
  void send_answer(const OpenQuestion& question, const PermissionAnswer& answer) override;

  void open_thread();
  void thread_opened(const Response& response);
  void turn_known(const boost::json::value& turn);
  void item_started(const boost::json::value& item);
  void item_completed(const boost::json::value& item);
  void turn_completed(const boost::json::value& turn);
  void usage_updated(std::string_view turn_id, const boost::json::value& usage);

  AgentStart start_;
  std::string thread_id_;
  std::string turn_id_;            // empty until reported
  bool is_interrupt_due_ = false;  // cancelled before the turn id was known
  std::map<std::string, boost::json::object, std::less<>> tool_inputs_;  // by item, while it runs
  std::optional<Usage> total_;         // of the thread, as last reported
  std::optional<Usage> usage_before_;  // total_ before the first report of this task
};

}  // namespace oriel
