#include "server_usage.h"

#include <ctime>
#include <fstream>
#include <stdexcept>
#include <string>

namespace oriel {

std::int64_t cpu_time_ns(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0)
    throw std::runtime_error("no CPU clock for process " + std::to_string(process) +
                             ": has the server ended?");
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

std::uint64_t memory_bytes(pid_t process) {
  const std::string file = "/proc/" + std::to_string(process) + "/smaps_rollup";
  std::ifstream lines(file);
  for (std::string word; lines >> word;) {
    std::uint64_t kibibytes = 0;
    if (word == "Pss:" && lines >> kibibytes) return kibibytes * 1024;
  }
  throw std::runtime_error("cannot read " + file + ": run as the server's user or as root");
}

}  // namespace oriel
