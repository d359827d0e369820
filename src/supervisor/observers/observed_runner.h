#pragma once
// One observed agent at work: its hooks and its transcript go through the rules of room turn into
// the journal.

#include "journal/journal.h"
#include "observed/observed_agent.h"
#include "posix/file_watch.h"
#include "runtime/blocking_thread.h"
#include "runtime/condition.h"
#include "runtime/task_group.h"
#include "supervisor/observers/agent_process.h"
#include "supervisor/observers/observed_outbox.h"
#include "supervisor/sessions/session_registry.h"
#include "supervisor/sessions/workspace.h"
#include "transcript/transcript_lines.h"
#include "transcript/transcript_tail.h"

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

// A hook as it came in.
struct IncomingHook {
  HookEvent hook;
  Moment at;
  std::size_t bytes = 0;  // of its request
};

struct ObservedOptions {
  ObservedLimits limits;
  std::chrono::milliseconds tick_every = std::chrono::seconds(5);
  std::size_t max_queued_bytes = 4 << 20;  // of hooks that wait
  std::vector<ProjectSpec> projects;       // their workspaces are theirs
};

// What all observed agents share. `watch` is of the runner's shard.
struct ObserverContext {
  Journal& journal;
  FileWatch& watch;
  BlockingThread& files;
  const TranscriptRoots& roots;
  const ObservedOptions& options;
};

// Lives on one shard and is touched only there, but for reserve(). Without work for long it lets go
// of all that it holds but its position; a hook brings it back from the journal. stop() is awaited
// before destruction.
class ObservedRunner {
 public:
  // `first` is what it is if the journal does not know it. `on_change` is told, on the shard, of
  // each state before its events are stored.
  ObservedRunner(asio::any_io_executor shard, ObserverContext context, ObservedState first,
                 std::function<void(SessionSnapshot)> on_change);
  ~ObservedRunner();

  // Room for a hook of that size, on any thread; false when too much waits already. To be followed
  // by take().
  bool reserve(std::size_t bytes);

  void take(IncomingHook incoming);

  // Stores what has come, and ends.
  asio::awaitable<void> stop();

 private:
  asio::awaitable<void> run_hooks();
  asio::awaitable<void> run_hook(IncomingHook incoming);
  asio::awaitable<void> load();
  asio::awaitable<void> find_project_of(std::string cwd);

  asio::awaitable<void> follow();
  asio::awaitable<void> follow_wanted();
  asio::awaitable<void> read_on();
  asio::awaitable<void> take_batch(TranscriptBatch batch);
  void open_tail();
  void wake_reader();
  void report(const std::vector<SkippedLine>& skipped) const;
  void complain(const Error& error);

  asio::awaitable<void> keep_time();
  bool may_rest() const;
  void rest();

  void attempt(const std::function<ObservedStep()>& step);
  void perform(ObservedStep step);
  asio::awaitable<void> store_steps();
  asio::awaitable<bool> store(const ObservedOutbox::Parcel& parcel);
  asio::awaitable<void> stored();

  asio::any_io_executor shard_;
  ObserverContext context_;
  ObservedState first_;
  std::function<void(SessionSnapshot)> on_change_;

  std::atomic<std::size_t> queued_bytes_{0};
  std::deque<IncomingHook> queue_;
  Condition queue_changed_;

  std::unique_ptr<ObservedAgent> agent_;  // none: it rests
  std::unique_ptr<TranscriptTail> tail_;
  std::optional<TranscriptFormat> format_;  // of the file that the tail follows
  std::string complained_;                  // the last error that was told of the transcript
  Condition reader_changed_;
  AgentProcess process_;
  SteadyTime active_at_;

  ObservedOutbox outbox_;
  std::uint64_t put_ = 0;  // steps, ever
  std::uint64_t stored_ = 0;
  bool is_closing_ = false;
  Condition outbox_changed_;
  Condition stored_changed_;
  TaskGroup tasks_;
};

}  // namespace oriel
