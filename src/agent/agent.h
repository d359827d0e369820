#pragma once
// A running agent: one child process, and the adapter that speaks its language.

#include "agent/agent_spec.h"
#include "runtime/asio.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace oriel {

struct AgentLimits {
  std::size_t max_line_bytes = 64 << 20;
  std::size_t max_unsent_bytes = 16 << 20;      // what may wait for an agent that does not read
  std::size_t stderr_bytes = 64 << 10;          // of its last words that are kept
  std::size_t read_bytes = 64 << 10;            // taken from its output at once
  std::chrono::milliseconds close_grace{2000};  // after the protocol's goodbye and the end of input
  std::chrono::milliseconds term_grace{2000};   // after SIGTERM
  std::chrono::milliseconds kill_grace{2000};   // after SIGKILL, for the kernel
};

// How a process ended, in words for a person: "exited with code 1", "was killed by SIGKILL (signal
// 9)", and the last lines of its standard error.
struct AgentExit {
  int code = 0;    // when it exited
  int signal = 0;  // when a signal ended it
  std::string last_words;

  std::string describe() const;
};

// What next() brings: events, and at the end how it ended.
struct AgentOutput {
  std::vector<AgentEvent> events;
  std::optional<AgentExit> exit;  // nothing follows
};

// Lives on one shard, owned by its session's runner; stop() is awaited before destruction, also
// after an exit. The functions that command it write in order and return what the adapter says to
// it at once.
class Agent {
 public:
  Agent(asio::any_io_executor shard, AgentSpec spec, std::unique_ptr<Adapter> adapter,
        AgentLimits limits);
  ~Agent();
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;

  // Starts the process in `workspace`. An error says what is missing and how to get it: the
  // program, the sandbox, the directory. AgentReady or AgentRefused comes from next().
  asio::awaitable<Result<void>> start(std::filesystem::path workspace, std::string resume_id);

  // The next events, as soon as there is one. Reads no more than `read_bytes` ahead: an agent whose
  // events are not taken waits in its own write. One call at a time.
  asio::awaitable<AgentOutput> next();

  std::vector<AgentEvent> prompt(std::string_view text);
  std::vector<AgentEvent> cancel();
  std::vector<AgentEvent> answer(std::string_view permission_id, const PermissionAnswer& answer);

  // The ladder: goodbye in its language, end of input, SIGTERM, SIGKILL, each with its grace; then
  // every process that it left behind. Ends a next() that waits. Returns when nothing is left.
  asio::awaitable<void> stop();

  // Its last words on standard error, and lines that were not of its language.
  std::string last_words() const;
};

}  // namespace oriel
