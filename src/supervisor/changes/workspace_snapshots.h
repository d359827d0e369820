#pragma once
// Snapshots of the workspaces of sessions, in git repositories of Oriel's own: one of the start,
// and one of now. Git sees no configuration of a workspace, and no link is followed (R-SANDBOX-5).

#include "base/moment.h"
#include "base/time.h"
#include "runtime/asio.h"
#include "runtime/blocking_thread.h"
#include "supervisor/changes/change_list.h"
#include "supervisor/changes/snapshot_record.h"
#include "supervisor/changes/work_slots.h"
#include "supervisor/sync/bare_repository.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace oriel {

struct SnapshotOptions {
  std::filesystem::path directory;     // hidden from sandboxes; empty: no snapshots
  std::uint64_t max_bytes = 64 << 20;  // of all files of a workspace; 0: no snapshots
  std::uint64_t max_files = 20'000;
  std::chrono::milliseconds start_limit = std::chrono::seconds(10);
  std::chrono::milliseconds read_limit = std::chrono::seconds(30);
};

// Files larger than this are in no snapshot.
constexpr std::uint64_t kMaxSnapshotFile = 8 << 20;

// The workspace at two times.
struct Comparison {
  std::filesystem::path repository;
  std::string start;  // a tree or commit
  std::string now;
  WallTime as_of;
  bool is_current = true;  // false: the workspace is gone, this is the last that was seen of it
  LeftOut left_out = {};   // files that are too large or cannot be read
};

// Lives on one shard. Files are read and git runs elsewhere; at most two reads at once.
class WorkspaceSnapshots {
 public:
  WorkspaceSnapshots(const asio::any_io_executor& shard, SnapshotOptions options);

  // Before the first message of a session. A workspace that is too large for its limits has no
  // snapshot: compare() then reports why.
  asio::awaitable<void> take_start(std::string session_id, std::filesystem::path workspace);

  // Takes a snapshot of now, unless `snapshot` is the last one that was taken. Errors:
  // workspace_failed (there is no snapshot of the start, or none of now), too_many_requests.
  asio::awaitable<Result<Comparison>> compare(std::string session_id,
                                              std::filesystem::path workspace,
                                              std::string snapshot);

  // Errors: those of run_program(), bad_document.
  asio::awaitable<Result<std::vector<FileChange>>> list(Comparison compared);

  // The first `max_bytes` of the patch of these paths, or of everything.
  asio::awaitable<Result<std::string>> patch(Comparison compared, std::vector<std::string> paths,
                                             std::size_t max_bytes);

  // Removes the snapshots of a session.
  asio::awaitable<void> forget(std::string session_id, std::filesystem::path workspace);

  // The same for all sessions that are unknown. `is_session` is called on another thread.
  asio::awaitable<void> forget_unknown(std::function<bool(const std::string& id)> is_session);

 private:
  asio::awaitable<Result<LeftOut>> take(std::filesystem::path repository,
                                        std::filesystem::path workspace, std::string reference,
                                        WallTime time, std::chrono::milliseconds limit);
  asio::awaitable<Result<void>> take_now(std::string session_id, std::filesystem::path workspace);
  BareRepository open(std::filesystem::path repository, std::chrono::milliseconds limit);
  std::filesystem::path place_of(const std::filesystem::path& workspace) const;

  const SnapshotOptions options_;
  BlockingThread blocking_;
  WorkSlots slots_;
  std::uint64_t numbers_ = 0;                       // of index files
  std::map<std::string, SteadyTime> last_started_;  // by session: its last snapshot of now
};

}  // namespace oriel
