#pragma once
// The branch of a workspace, read from the files of its repository. Runs no git: the configuration
// of a workspace may name programs.

#include <filesystem>
#include <optional>
#include <string>

namespace oriel {

// Whether ".git" may name a repository outside the workspace, as in a worktree. Of an agent in a
// sandbox it may not: it could name one that the sandbox does not show.
enum class RepositoryLink { kFollowed, kIgnored };

struct WorkspaceBranch {
  std::string name;            // "main"; empty: HEAD is detached
  std::string head = {};       // a commit; empty: none yet
  std::string base = {};       // the default branch of its remote: "origin/main"
  std::string base_head = {};  // a commit

  bool operator==(const WorkspaceBranch&) const = default;
};

// None: it is not the top directory of a repository. Symbolic links are not followed. Blocks.
std::optional<WorkspaceBranch> read_branch(const std::filesystem::path& workspace,
                                           RepositoryLink link);

}  // namespace oriel
