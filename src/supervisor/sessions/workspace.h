#pragma once
// The directory that an agent works in: an existing one or a new one.

#include "base/error.h"
#include "observed/project.h"
#include "runtime/blocking_thread.h"

#include <filesystem>
#include <string>
#include <vector>

namespace oriel {

struct ProjectSpec {
  std::string id;
  std::string workspace;   // a directory; empty: each session gets a new one
  std::string repository;  // cloned into a new one: a directory or URL that git accepts
  std::string agent;       // empty: the default
  std::vector<std::string> agents = {};  // that tokens may choose from; empty: any
  std::string sync_remote = {};  // URL to which workspaces are pushed after each task; empty: none
};

// The project of a working directory: the one whose workspace it is in, else that of the directory
// itself. Blocks.
Project project_at(const std::string& cwd, const std::vector<ProjectSpec>& projects);

// Resolves links and ".." of an absolute path to an existing directory as the kernel does. Error:
// invalid_workspace. Blocks.
Result<std::string> check_workspace(const std::string& directory);

// How a session gets the files of a local repository.
enum class CloneKind {
  kWorktree,  // shares the repository's objects and branches
  kSeparate,  // shares nothing: for agents in a sandbox, which must not reach the repository
};

// Creates `directory`: empty without a repository; from a local one a worktree or clone, on a
// branch of the session's name; else a clone. No code of the repository runs. Error:
// workspace_failed, with git's message.
asio::awaitable<Result<void>> make_workspace(std::filesystem::path directory,
                                             std::string repository, CloneKind kind,
                                             BlockingThread& blocking);

// Removes a workspace that make_workspace() has made and that nobody has used, as far as possible.
asio::awaitable<void> discard_workspace(std::filesystem::path directory, std::string repository,
                                        CloneKind kind, BlockingThread& blocking);

}  // namespace oriel
