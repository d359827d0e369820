#pragma once
// Where an agent works: a directory that is there already, or a fresh one.

#include "base/error.h"
#include "observed/project.h"
#include "runtime/blocking_thread.h"

#include <filesystem>
#include <string>
#include <vector>

namespace oriel {

struct ProjectSpec {
  std::string id;
  std::string workspace;   // a directory; empty: each session gets a fresh one
  std::string repository;  // what a fresh one is made from: a directory or URL that git knows
  std::string agent;       // empty: the default
};

// The project of a working directory: the one whose workspace it is in, else that of the directory
// itself. Blocks.
Project project_at(const std::string& cwd, const std::vector<ProjectSpec>& projects);

// A directory that a person named, without links: absolute, and there. Errors: invalid_workspace.
// Blocks.
Result<std::string> check_workspace(const std::string& directory);

// Makes `directory`: empty, or from the repository: a worktree (on a branch of the session's name)
// when that is a directory here, else a clone. Errors: workspace_failed, with what git says.
asio::awaitable<Result<void>> make_workspace(std::filesystem::path directory,
                                             std::string repository, BlockingThread& blocking);

}  // namespace oriel
