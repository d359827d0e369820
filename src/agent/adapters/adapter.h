#pragma once
// Translates between an agent's protocol and Oriel's events. Pure: no I/O and no clock, so
// recordings of real agents replay through it unchanged.

#include "base/event/agent_event.h"
#include "base/text/json_line.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// Parameters of a new conversation.
struct AgentStart {
  std::string workspace;    // absolute, as the agent sees it
  std::string resume_id;    // AgentReady::agent_session_id of an earlier process; empty: a new one
  std::string model;        // empty: the agent's default
  std::string auth_method;  // for agents that require an explicit login method
};

// The result of a call: lines to write and events to forward.
struct AgentStep {
  std::vector<std::string> lines;  // without newline
  std::vector<AgentEvent> events;
  std::optional<std::chrono::milliseconds>
      wait_for_quiet;     // call quiet() after this long without output
  bool is_noise = false;  // the received line is not part of the protocol
};

// One per process. The owner calls start() once the process runs, receive() for each output line,
// and prompt() only when ready and idle: one task at a time.
class Adapter {
 public:
  virtual ~Adapter() = default;

  // Additional command-line arguments.
  virtual std::vector<std::string> arguments(const AgentStart&) const { return {}; }

  virtual AgentStep start(const AgentStart& start) = 0;

  // Accepts any bytes: non-protocol lines are noise, unknown messages are ignored.
  virtual AgentStep receive(std::string_view line) { return receive_parsed(parse_line(line)); }

  // The same for the result of parse_line(), which may be called on another thread.
  virtual AgentStep receive_parsed(std::optional<boost::json::value> message) = 0;

  virtual AgentStep quiet() { return {}; }

  virtual AgentStep prompt(std::string_view text) = 0;

  // Requests cancellation and rejects pending permissions. TaskEnded follows from receive().
  virtual AgentStep cancel() = 0;

  // Ignores an unknown permission: the agent may have just withdrawn it.
  virtual AgentStep answer(std::string_view permission_id, const PermissionAnswer& answer) = 0;

  // Asks the agent to exit, if its protocol can. Its input is closed next.
  virtual AgentStep close() { return {}; }
};

enum class AdapterKind { kDroid, kAcp, kClaude, kCodex };

std::unique_ptr<Adapter> make_adapter(AdapterKind kind);

}  // namespace oriel
