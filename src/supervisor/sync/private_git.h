#pragma once
// Runs git on repositories that only Oriel writes. Of all configuration only Oriel's counts, so
// that nothing runs that an agent has written: no filter, hook, file monitor or submodule.

#include "posix/environment.h"
#include "posix/spawn.h"

#include <filesystem>
#include <string>
#include <vector>

namespace oriel {

struct GitPlaces {
  std::filesystem::path repository = {};  // bare; empty: the command makes one
  std::filesystem::path work_tree = {};   // empty: the command needs none
  std::filesystem::path index = {};       // empty: the repository's
  std::string remote = {};                // the URL of the remote "sync"; empty: there is none
};

// The command's arguments do not name the URL, which may contain a password: other users of the
// machine see arguments. Pure.
ProcessSpec private_git_command(const GitPlaces& places, std::vector<std::string> arguments,
                                const Environment& own);

}  // namespace oriel
