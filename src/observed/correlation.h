#pragma once
// Which agent a hook is of. The agent's own session id says it, until compaction or a resumption
// gives it another; then its transcript or its process does. Pure.

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
  std::string_view evidence;  // session_id, transcript, process, or new
};

// Lives where hooks come in, so that hooks that come at once are of one agent.
class Correlation {
 public:
  // The agent of this hook, which is known by all that the hook says of it from now on. A new one
  // is called by the hook's session id.
  Correlated resolve(const HookEvent& hook);

  // The same for an agent that was stored, or imported.
  void learn(const std::string& agent_id, const std::string& native_id,
             const std::string& transcript_path, const std::string& cwd,
             std::optional<std::int64_t> pid);

  // Its process has ended: another may get its number.
  void forget_process(const std::string& agent_id);

  // Nothing is known of it any more.
  void forget(const std::string& agent_id);

  std::optional<std::string> find(std::string_view native_id) const;

 private:
  using Process = std::pair<std::int64_t, std::string>;  // pid and working directory

  struct Owner {
    std::string agent_id;
    bool is_resumed_only = false;  // the process has said that it resumes it, and nothing since
  };

  Correlated match(const HookEvent& hook) const;

  std::map<std::string, std::string, std::less<>> by_session_;
  std::map<std::string, std::string, std::less<>> by_transcript_;
  std::map<Process, Owner> by_process_;
};

}  // namespace oriel
