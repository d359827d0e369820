#pragma once
// Restrictions that a sandbox puts on its own processes.

// Takes from this process, and from what it starts, calls of the kernel that reach beyond a
// sandbox: those for keys, because keyrings belong to the user outside, and those that make user
// namespaces, in which a process has privileges. No privileges can be gained afterwards. False,
// with errno, if the kernel has no filters.
bool give_up_calls();
