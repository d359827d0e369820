#pragma once
// A running agent: one child process, and the adapter that speaks its language.

#include "agent/agent_exit.h"
#include "agent/agent_spec.h"
#include "agent/sandbox/sandbox.h"
#include "posix/child_process.h"
#include "posix/line_splitter.h"
#include "posix/line_writer.h"
#include "posix/text_tail.h"
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
  std::size_t max_unsent_bytes = 16 << 20;      // what may wait for an agent that does not read
  std::size_t stderr_bytes = 64 << 10;          // of its last words that are kept
  std::size_t read_bytes = 16 << 10;            // taken from its output at once
  std::chrono::milliseconds close_grace{2000};  // after the protocol's goodbye and the end of input
  std::chrono::milliseconds term_grace{2000};   // after SIGTERM
  std::chrono::milliseconds kill_grace{2000};   // after SIGKILL, for the kernel
  std::chrono::milliseconds removal_grace{15000};  // for `podman rm`, `docker rm`
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

 private:
  struct Source;
  class Taking;
  using Check = bool (Agent::*)() const;

  bool has_exited() const { return exit_.has_value(); }

  bool is_over() const { return has_exited() && open_sources_ == 0; }

  Result<void> launch(const AgentStart& start, const std::filesystem::path& workspace);
  std::vector<AgentEvent> apply(AgentStep step);
  void deliver(AgentStep step);
  void receive(Line line);

  asio::awaitable<std::string_view> read(Source& source);
  asio::awaitable<void> read_output();
  asio::awaitable<void> read_errors();
  asio::awaitable<void> write_input();
  asio::awaitable<void> watch_exit();
  asio::awaitable<void> watch_quiet();

  void give_up(std::string cause, std::chrono::milliseconds grace);
  asio::awaitable<void> end_after(std::chrono::milliseconds grace, std::string cause);
  void ask_to_end();
  asio::awaitable<void> climb_down();
  asio::awaitable<void> end_gently();
  asio::awaitable<void> end_by_force();
  asio::awaitable<void> wait_for(Check check);
  asio::awaitable<bool> happens_within(Check check, std::chrono::milliseconds limit);

  asio::any_io_executor shard_;
  AgentSpec spec_;
  std::unique_ptr<Adapter> adapter_;
  AgentLimits limits_;
  std::string id_;  // the marker of all its processes

  std::optional<Launch> launch_;
  std::unique_ptr<ChildProcess> child_;
  std::unique_ptr<LineWriter> writer_;
  LineSplitter splitter_;
  TextTail errors_;
  TextTail noise_;

  std::vector<AgentEvent> events_;  // not taken yet
  std::optional<ExitStatus> exit_;
  std::string cause_;
  std::size_t open_sources_ = 0;  // output and errors
  bool is_taken_ = false;         // a next() waits
  bool is_giving_up_ = false;
  bool is_stopping_ = false;
  Condition changed_;  // one of the above

  std::optional<std::chrono::milliseconds> quiet_;
  bool is_listening_ = false;  // to its output, of which nothing is left to read
  asio::steady_timer silence_;

  TaskGroup tasks_;
  TaskGroup stop_;
};

}  // namespace oriel
