#pragma once
// Decides how each life of the server ends: a life is the time from a start to the next. Pure.

#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace oriel {

enum class LifeEnd {
  kKill,   // SIGKILL
  kStop,   // SIGTERM
  kCrash,  // at a failpoint
};

struct Life {
  LifeEnd end = LifeEnd::kKill;
  std::chrono::milliseconds after{0};  // then it is killed or stopped, also if no failpoint was hit
  std::string failpoint = {};
  std::uint64_t hit = 0;  // of the failpoint, at which the server crashes

  bool operator==(const Life&) const = default;
};

// The same seed and failpoints give the same lives.
class FaultSchedule {
 public:
  // Each failpoint gets its life first, in an order that the seed decides.
  FaultSchedule(std::uint64_t seed, std::vector<std::string> failpoints);

  Life next();

  bool has_failpoints() const { return !failpoints_.empty(); }

 private:
  std::uint64_t random(std::uint64_t from, std::uint64_t to);

  std::mt19937_64 random_;
  std::vector<std::string> failpoints_;
};

}  // namespace oriel
