#pragma once
// Runs git without executing code of a repository: no hooks, no file monitor, no filters, and only
// the repository's own configuration.

#include "posix/environment.h"
#include "posix/spawn.h"
#include "runtime/asio.h"

#include <string>
#include <vector>

namespace oriel {

// The variables of `own` that git needs to reach a remote, and variables that keep git from asking
// questions. Pure.
Environment git_environment(const Environment& own);

// The arguments and environment of a git command. `filters` are configuration names to override,
// such as "filter.lfs.smudge". Pure.
ProcessSpec git_command(std::vector<std::string> arguments, const std::vector<std::string>& filters,
                        const Environment& own);

// Returns its output. Errors are those of run_program().
asio::awaitable<Result<std::string>> run_git(std::vector<std::string> arguments,
                                             std::vector<std::string> filters);

// The filters that the configuration defines for this working directory and its branch: commands
// that a checkout runs. Errors are those of run_program().
asio::awaitable<Result<std::vector<std::string>>> git_filters(std::string directory);

}  // namespace oriel
