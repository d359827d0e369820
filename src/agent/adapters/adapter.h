#pragma once
// One agent's language: lines in, events out, and the other way round. Pure: no I/O, no clock, so
// that recordings of real agents are replayed through it as they are.

#include "base/agent_event.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// How a conversation begins.
struct AgentStart {
  std::string workspace;    // absolute, as the agent sees it
  std::string resume_id;    // AgentReady::agent_session_id of an earlier process; empty: a new one
  std::string model;        // empty: the agent's own choice
  std::string auth_method;  // for agents that want to be told how they are logged in
};

// What follows from a call: write these lines, pass these events on.
struct AgentStep {
  std::vector<std::string> lines;  // without their newline
  std::vector<AgentEvent> events;
  std::optional<std::chrono::milliseconds> wait_for_quiet;  // call quiet() after such a silence
  bool is_noise = false;  // the line received is not of this language
};

// One per process. Its owner calls start() once the process runs, receive() for each line of its
// output, and prompt() only between AgentReady and a task's end: one task at a time.
class Adapter {
 public:
  virtual ~Adapter() = default;

  // What its command line needs beside the configured command.
  virtual std::vector<std::string> arguments(const AgentStart&) const { return {}; }

  virtual AgentStep start(const AgentStart& start) = 0;

  // Any bytes are allowed; what is not of the language is noise, what is unknown in it is ignored.
  virtual AgentStep receive(std::string_view line) = 0;

  virtual AgentStep quiet() { return {}; }

  virtual AgentStep prompt(std::string_view text) = 0;

  // Asks for the task's end, and answers what the agent waits for. TaskEnded follows from
  // receive().
  virtual AgentStep cancel() = 0;

  // An unknown permission is ignored: the agent may have withdrawn it just now.
  virtual AgentStep answer(std::string_view permission_id, const PermissionAnswer& answer) = 0;

  // Asks the agent to end by itself, where its language has a word for it. Its input is closed
  // next.
  virtual AgentStep close() { return {}; }
};

enum class AdapterKind { kDroid, kAcp, kClaude, kCodex };

std::unique_ptr<Adapter> make_adapter(AdapterKind kind);

}  // namespace oriel
