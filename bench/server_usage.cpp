#include "server_usage.h"

#include <ctime>
#include <fstream>
#include <stdexcept>
#include <string>

namespace oriel {
namespace {

std::uint64_t kibibytes_of(pid_t process, const std::string& file, const std::string& name) {
  const std::string path = "/proc/" + std::to_string(process) + "/" + file;
  std::ifstream lines(path);
  for (std::string word; lines >> word;) {
    std::uint64_t kibibytes = 0;
    if (word == name && lines >> kibibytes) return kibibytes;
  }
  throw std::runtime_error("cannot read " + path + ": run as the server's user or as root");
}

}  // namespace

std::int64_t cpu_time_ns(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0)
    throw std::runtime_error("no CPU clock for process " + std::to_string(process) +
                             ": has the server ended?");
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

std::uint64_t memory_bytes(pid_t process) {
  return kibibytes_of(process, "smaps_rollup", "Pss:") * 1024;
}

Resident resident_bytes(pid_t process) {
  return {.now = kibibytes_of(process, "status", "VmRSS:") * 1024,
          .peak = kibibytes_of(process, "status", "VmHWM:") * 1024};
}

}  // namespace oriel
