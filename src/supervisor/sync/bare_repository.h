#pragma once
// A bare git repository that only Oriel writes, and snapshots of workspaces in it.

#include "posix/run_program.h"
#include "runtime/asio.h"
#include "runtime/blocking_thread.h"
#include "supervisor/sync/private_git.h"
#include "supervisor/sync/snapshot_stream.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace oriel {

struct RepositoryLimits {
  SnapshotLimits snapshot = {};
  // For all calls of one object together.
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};

// Used on any shard; the files are read on `blocking`. Calls fail with the errors of run_program(),
// with git's message, which does not name the remote.
class BareRepository {
 public:
  // `index_name` names a file of the repository that nobody else uses meanwhile.
  BareRepository(std::filesystem::path directory, std::string index_name, std::string remote,
                 BlockingThread& blocking, RepositoryLimits limits = {});

  const std::filesystem::path& directory() const { return directory_; }

  // Makes the repository if there is none.
  asio::awaitable<Result<void>> make();

  // Stores the workspace as a commit: all files that are tracked there or that no .gitignore names,
  // also those of nested repositories; repositories themselves are left out. Returns the files that
  // did not fit. Error also: workspace_failed.
  asio::awaitable<Result<std::vector<std::string>>> take_snapshot(std::filesystem::path workspace,
                                                                  SnapshotCommit commit);

  // Runs git on this repository, or without one (`places`).
  asio::awaitable<Result<std::string>> git(std::vector<std::string> arguments,
                                           ProgramPipe pipe = {});
  asio::awaitable<Result<std::string>> git(GitPlaces places, std::vector<std::string> arguments,
                                           ProgramPipe pipe = {});

 private:
  asio::awaitable<Result<std::vector<std::string>>> list(std::filesystem::path workspace);

  const std::filesystem::path directory_;
  const std::string index_name_;
  const std::string remote_;
  BlockingThread& blocking_;
  const RepositoryLimits limits_;
};

}  // namespace oriel
