#pragma once
// Runs one observed agent: applies its hooks and its transcript to an ObservedAgent and stores the
// resulting steps.

#include "base/text/redactor.h"
#include "journal/journal.h"
#include "observed/observed_agent.h"
#include "posix/file_watch.h"
#include "runtime/blocking_thread.h"
#include "runtime/condition.h"
#include "runtime/task_group.h"
#include "supervisor/observers/agent_process.h"
#include "supervisor/observers/entry_tail.h"
#include "supervisor/observers/step_writer.h"
#include "supervisor/sessions/session_registry.h"
#include "supervisor/sessions/workspace.h"

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace oriel {

// A hook with the time of its arrival.
struct IncomingHook {
  HookEvent hook;
  Moment at;
  std::size_t bytes = 0;                   // of its request
  std::vector<std::string> projects = {};  // that its sender is limited to; empty: none
  std::string project_id = {};             // of its working directory; empty: not looked up
};

struct ObservedOptions {
  ObservedLimits limits;
  std::chrono::milliseconds tick_every = std::chrono::seconds(5);
  std::size_t max_queued_bytes = 4 << 20;  // of waiting hooks
  std::vector<ProjectSpec> projects;       // own the directories in their workspaces
  std::shared_ptr<const Redactor> redactor = std::make_shared<const Redactor>();
};

// Shared by all observed agents. `watch` belongs to the runner's shard.
struct ObserverContext {
  Journal& journal;
  FileWatch& watch;
  BlockingThread& files;
  const TranscriptRoots& roots;
  const ObservedOptions& options;
};

// Lives on one shard and is used only there, except for reserve(). After a long idle time it
// unloads its agent; the next hook loads it from the journal. Await stop() before destruction.
class ObservedRunner {
 public:
  // `first` is the agent's state if the journal has none. `on_stored`, `guard`: see StepWriter.
  ObservedRunner(asio::any_io_executor shard, ObserverContext context, ObservedState first,
                 std::function<void(SessionSnapshot)> on_stored, OwnerGuard guard = {});
  ~ObservedRunner();

  // Reserves space in the queue for a hook of that size, to be followed by take(). False: the queue
  // is full. Called on any thread.
  bool reserve(std::size_t bytes);

  void take(IncomingHook incoming);

  // Stores everything received, then ends. In a cluster it drops what takes too long.
  asio::awaitable<void> stop();

 private:
  class HookAtWork;

  asio::awaitable<void> store_rest();
  void keep(std::string name, std::function<asio::awaitable<void>()> work);
  asio::awaitable<void> run_hooks();
  asio::awaitable<void> run_hook(IncomingHook incoming);
  asio::awaitable<void> find_project_of(std::string cwd);

  asio::awaitable<void> load();
  bool may_unload() const;
  void unload();

  asio::awaitable<void> follow_transcript();
  asio::awaitable<void> read_entries();
  asio::awaitable<void> move_to_wanted_transcript();
  asio::awaitable<void> take_entries(EntryBatch batch);
  void open_transcript();
  void wake_reader();
  void log_once(const Error& error);

  asio::awaitable<void> keep_time();
  void attempt(const std::function<ObservedStep()>& step);

  asio::any_io_executor shard_;
  ObserverContext context_;
  ObservedState first_;

  std::atomic<std::size_t> queued_bytes_{0};
  std::deque<IncomingHook> queue_;
  Condition queue_changed_;
  Condition hooks_done_;
  bool is_closing_ = false;

  std::unique_ptr<ObservedAgent> agent_;  // null: unloaded
  std::unique_ptr<EntryTail> tail_;
  std::string logged_error_;  // the last error of the transcript
  Condition reader_changed_;
  AgentProcess process_;
  SteadyTime active_at_;

  StepWriter writer_;
  TaskGroup tasks_;
};

}  // namespace oriel
