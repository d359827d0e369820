#pragma once
// Settings of this process that the programs it starts do not inherit: spawn() restores them.

#include <cstdint>

namespace oriel {

// Makes new files and directories private to this user (umask 077). Call before threads start.
void make_new_files_private();

// Raises the soft limit of open files to the hard limit and returns it. Call before threads start.
std::uint64_t raise_open_file_limit();

// Call in a child before exec: undoes the functions above. Async-signal-safe.
void restore_settings_in_child();

}  // namespace oriel
