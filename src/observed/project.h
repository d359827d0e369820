#pragma once
// Which project a working directory belongs to.

#include <functional>
#include <string>
#include <string_view>

namespace oriel {

struct Project {
  std::string project_id;  // a name (base/id.h): the root's base name, "-" and a hash of its path
  std::string name;        // the root's base name, as it is shown
  std::string root;        // the git root, else the working directory itself

  bool operator==(const Project&) const = default;
};

// Looks for `.git` from the working directory upwards; of a git worktree the worktree is the root.
// `exists` says whether a path is there; the default asks the disk, and so blocks. Directories with
// equal base names have different ids; one directory has one id, however it is written.
Project find_project(std::string_view cwd);
Project find_project(std::string_view cwd, const std::function<bool(const std::string&)>& exists);

}  // namespace oriel
