#pragma once
// CPU time and memory of a server, as reported by the kernel.

#include <sys/types.h>

#include <cstdint>

namespace oriel {

// User and system time of all threads of a process, as in /proc/PID/stat but not rounded to 10 ms.
std::int64_t cpu_time_ns(pid_t process);

// Pss of a process: its private memory and its share of shared memory.
std::uint64_t memory_bytes(pid_t process);

// Resident memory of a process, now and at its peak (VmRSS, VmHWM).
struct Resident {
  std::uint64_t now = 0;
  std::uint64_t peak = 0;
};

Resident resident_bytes(pid_t process);

}  // namespace oriel
