#pragma once
// Restrictions that a sandbox puts on its own processes.

// Denies this process and its children system calls that reach beyond a sandbox: the calls for
// keys, because keyrings belong to the user outside, and the calls that make user namespaces, in
// which a process has privileges. No privileges can be gained afterwards. False, with errno, if the
// kernel has no filters.
bool give_up_calls();
