#pragma once
// What a server costs, as the kernel counts it.

#include <sys/types.h>

#include <cstdint>

namespace oriel {

// User and system time of all threads of a process: the sum that /proc/PID/stat shows, without its
// rounding to 10 ms.
std::int64_t cpu_time_ns(pid_t process);

// Pss of a process: what it has in memory, its share of what it has in common with others.
std::uint64_t memory_bytes(pid_t process);

// What a process has in memory now, and the most it ever had (VmRSS, VmHWM).
struct Resident {
  std::uint64_t now = 0;
  std::uint64_t peak = 0;
};

Resident resident_bytes(pid_t process);

}  // namespace oriel
