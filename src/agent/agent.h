#pragma once
// A running agent: one child process and its protocol adapter.

#include "agent/agent_exit.h"
#include "agent/agent_spec.h"
#include "agent/launched_agent.h"
#include "posix/line_splitter.h"
#include "posix/line_writer.h"
#include "posix/text_tail.h"
#include "runtime/blocking_thread.h"
#include "runtime/condition.h"
#include "runtime/task_group.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct AgentLimits {
  std::size_t max_line_bytes = 64 << 20;
  std::size_t max_unsent_bytes = 16 << 20;         // input queued for an agent that does not read
  std::size_t stderr_bytes = 64 << 10;             // kept tail of standard error
  std::size_t read_bytes = 16 << 10;               // per read of its output
  std::chrono::milliseconds close_grace{2000};     // after the close request and end of input
  std::chrono::milliseconds term_grace{2000};      // after SIGTERM
  std::chrono::milliseconds kill_grace{2000};      // after SIGKILL
  std::chrono::milliseconds removal_grace{15000};  // for `podman rm`, `docker rm`
};

// Returned by next(): events, and finally the exit.
struct AgentOutput {
  std::vector<AgentEvent> events;
  std::optional<AgentExit> exit;  // set on the last output
};

// How an agent is stopped.
enum class AgentStop {
  kGently,  // close request, end of input, SIGTERM, SIGKILL, each with its grace period
  kAtOnce,  // SIGKILL
};

// Lives on one shard, owned by its session's runner. stop() must be awaited before destruction,
// even after an exit. Commands are written in order and return the adapter's immediate events.
class Agent {
 public:
  Agent(asio::any_io_executor shard, AgentSpec spec, std::unique_ptr<Adapter> adapter,
        AgentLimits limits);
  ~Agent();
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;

  // Starts the process in `workspace`. Errors name what is missing (program, sandbox, directory)
  // and the remedy. AgentReady or AgentRefused follows from next().
  asio::awaitable<Result<void>> start(std::filesystem::path workspace, std::string resume_id);

  // Waits for events. Reads at most `read_bytes` ahead, so an agent whose events are not consumed
  // blocks in its own write. One call at a time.
  asio::awaitable<AgentOutput> next();

  std::vector<AgentEvent> prompt(std::string_view text);
  std::vector<AgentEvent> cancel();
  std::vector<AgentEvent> answer(std::string_view permission_id, const PermissionAnswer& answer);

  // Ends the process, then kills everything the agent left behind. Ends a waiting next(). Returns
  // when no process is left. A repeated call waits for the first one.
  asio::awaitable<void> stop(AgentStop how = AgentStop::kGently);

  // The tail of standard error and of non-protocol output since the last task ended.
  std::string last_words() const;

 private:
  struct Source;
  class Taking;
  class Reading;
  using Check = bool (Agent::*)() const;

  enum class Phase {
    kRunning,
    kGivingUp,  // the agent has failed and is being ended
    kStopping,  // stop() was called
  };

  bool has_exited() const { return exit_.has_value(); }

  bool is_over() const { return has_exited() && open_sources_ == 0; }

  std::vector<AgentEvent> apply(AgentStep step);
  void deliver(AgentStep step);
  asio::awaitable<void> receive(std::vector<Line> lines);
  void receive_short(Line line);
  asio::awaitable<void> receive_long(Line line);
  void deliver(AgentStep step, std::string_view line);
  void forget_words();

  asio::awaitable<std::string_view> read(Source& source);
  asio::awaitable<void> end_on_failure(asio::awaitable<void> work);
  asio::awaitable<void> read_output();
  asio::awaitable<void> read_errors();
  asio::awaitable<void> write_input();
  asio::awaitable<void> watch_exit();
  asio::awaitable<void> watch_quiet();

  void give_up(std::string cause, std::chrono::milliseconds grace);
  asio::awaitable<void> end_after(std::chrono::milliseconds grace, std::string cause);
  asio::awaitable<void> escalate(AgentStop how);
  asio::awaitable<void> end_gently();
  asio::awaitable<void> end_by_force();
  asio::awaitable<void> wait_for(Check check);
  asio::awaitable<bool> happens_within(Check check, std::chrono::milliseconds limit);

  AgentSpec spec_;
  std::unique_ptr<Adapter> adapter_;
  AgentLimits limits_;

  LaunchedAgent process_;
  std::unique_ptr<LineWriter> writer_;
  LineSplitter splitter_;
  std::optional<BlockingThread> parser_;  // from the first long line on
  TextTail errors_;
  TextTail noise_;
  bool is_forgetting_ = false;  // the pending read of standard error belongs to an earlier task

  std::vector<AgentEvent> events_;  // not consumed yet
  std::optional<ExitStatus> exit_;
  std::string cause_;
  std::size_t open_sources_ = 0;  // standard output and error
  bool is_taken_ = false;         // a next() is waiting
  Phase phase_ = Phase::kRunning;
  Condition changed_;  // any of the above

  std::optional<std::chrono::milliseconds> quiet_;
  bool is_listening_ = false;  // waiting for output, nothing buffered
  asio::steady_timer silence_;

  TaskGroup tasks_;
  TaskGroup stop_;
};

}  // namespace oriel
