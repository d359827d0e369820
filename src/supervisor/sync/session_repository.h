#pragma once
// Oriel's own git repository of a session: holds snapshots of its workspace on one branch, which it
// exchanges with a remote.

#include "runtime/asio.h"
#include "runtime/blocking_thread.h"
#include "supervisor/sync/bare_repository.h"

#include <filesystem>
#include <string>

namespace oriel {

// Bare, and nobody else writes to it. One call at a time, on any shard; the files are read on
// `blocking`. Calls fail with the errors of run_program(), with git's message.
class SessionRepository {
 public:
  // `directory` is made by the first call. The remote keeps the branch "oriel/<session_id>".
  SessionRepository(std::filesystem::path directory, const std::string& session_id,
                    std::string remote, BlockingThread& blocking, SnapshotLimits limits = {});

  // Adds a commit of the workspace to the branch, if anything has changed since the last one.
  // Contains all files that are tracked there or that no .gitignore names, also those of nested
  // repositories; repositories themselves are left out. Returns the last commit. Error also:
  // workspace_failed.
  asio::awaitable<Result<std::string>> commit(std::filesystem::path workspace, std::string message,
                                              WallTime time);

  // Pushes the branch. What it has on the remote is replaced: only Oriel writes to it.
  asio::awaitable<Result<void>> push();

  // Fetches this commit of the branch, and makes it the last one.
  asio::awaitable<Result<void>> fetch(std::string commit);

  // Clones the branch into a new directory, which belongs to an agent afterwards: it shares no file
  // with this repository and has no remote.
  asio::awaitable<Result<void>> clone_to(std::filesystem::path workspace);

 private:
  struct Heads {
    std::string last;  // commits; empty: there is none
    std::string last_tree;
    std::string next;
    std::string next_tree;
  };

  asio::awaitable<Result<Heads>> heads();

  const std::string branch_;
  const std::string reference_;  // of the branch
  const std::string remote_;
  BareRepository repository_;
};

}  // namespace oriel
