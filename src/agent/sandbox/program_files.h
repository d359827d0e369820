#pragma once
// Finds the files that a program needs in a sandbox that shows only the system. Reads the disk.

#include "agent/sandbox/mount.h"

#include <string>
#include <vector>

namespace oriel {

// The mounts that the command needs in addition to `shown`: its program, the interpreter of a
// script, the outermost node_modules around it, and files that it names by absolute path. Recreates
// symbolic links. `path` is the value of PATH.
std::vector<Mount> find_program_files(const std::vector<std::string>& command,
                                      const std::string& path, const std::vector<Mount>& shown);

// oriel-sandbox-init beside this program.
std::filesystem::path find_sandbox_init();

}  // namespace oriel
