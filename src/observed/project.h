#pragma once
// The project of a working directory.

#include <functional>
#include <string>
#include <string_view>

namespace oriel {

struct Project {
  std::string project_id;  // a name (base/id.h): the root's base name, "-" and a hash of its path
  std::string name;        // the root's base name
  std::string root;        // the git root, else the working directory itself

  bool operator==(const Project&) const = default;
};

// Looks for `.git` from the working directory upwards; a git worktree is a root of its own. Equal
// directories have equal ids, however they are written; others have different ones. Blocks, unless
// `exists` is passed to check paths.
Project find_project(std::string_view cwd);
Project find_project(std::string_view cwd, const std::function<bool(const std::string&)>& exists);

}  // namespace oriel
