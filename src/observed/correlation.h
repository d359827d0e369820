#pragma once
// Finds the agent of a hook: by the agent's own session id, and after a compaction or resumption
// has changed that, by the transcript or the process. Pure.

#include "observed/hook.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace oriel {

struct Correlated {
  std::string agent_id;
  std::string_view evidence;  // "session_id", "transcript", "process" or "new"
};

// One for all agents, so that concurrent hooks of a new agent belong to one agent.
class Correlation {
 public:
  // The agent of this hook. Remembers the hook's session id, transcript and process. A new agent is
  // named after the session id.
  Correlated resolve(const HookEvent& hook);

  // Remembers an agent that was stored or imported.
  void learn(const std::string& agent_id, const std::string& native_id,
             const std::string& transcript_path, const std::string& cwd,
             std::optional<std::int64_t> pid);

  // The process has ended: another may get its pid.
  void forget_process(const std::string& agent_id);

  void forget(const std::string& agent_id);

  std::optional<std::string> find(std::string_view native_id) const;

  // The agent of this hook. Remembers nothing.
  Correlated match(const HookEvent& hook) const;

 private:
  using Process = std::pair<std::int64_t, std::string>;  // pid and working directory

  struct Owner {
    std::string agent_id;
    bool is_resumed_only = false;  // its only hook was a resumption
  };

  std::map<std::string, std::string, std::less<>> by_session_;
  std::map<std::string, std::string, std::less<>> by_transcript_;
  std::map<Process, Owner> by_process_;
};

}  // namespace oriel
