#pragma once
// Decides what happens to a verified cluster, one fault after another. Pure.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

namespace oriel {

enum class ClusterFaultKind {
  kKillNode,     // SIGKILL
  kStopNode,     // SIGTERM
  kFreezeNode,   // SIGSTOP, for longer than the others wait for it
  kLoseJournal,  // a node is killed, and its journal removed
  kKillNats,
  kFreezeNats,
};

constexpr std::size_t kClusterFaultKinds = 6;

// "kill_node"
std::string_view name_of(ClusterFaultKind kind);

constexpr bool is_of_node(ClusterFaultKind kind) {
  return kind < ClusterFaultKind::kKillNats;
}

// How often each kind has happened.
using ClusterFaultCounts = std::array<std::uint64_t, kClusterFaultKinds>;

struct ClusterFault {
  ClusterFaultKind kind = ClusterFaultKind::kKillNode;
  std::size_t node = 0;                 // from 0; of a fault of NATS: nothing
  std::chrono::milliseconds before{0};  // undisturbed time before it
  std::chrono::milliseconds away{0};    // until it is undone

  bool operator==(const ClusterFault&) const = default;
};

// The same seed and number of nodes give the same faults.
class ClusterSchedule {
 public:
  ClusterSchedule(std::uint64_t seed, std::size_t nodes);

  // Each kind once in a random order, then each again in another one.
  ClusterFault next();

  // Every kind was there.
  bool is_complete() const { return is_complete_; }

 private:
  std::uint64_t random(std::uint64_t from, std::uint64_t to);
  void shuffle();

  std::mt19937_64 random_;
  std::size_t nodes_;
  std::vector<ClusterFaultKind> left_;  // of this round
  bool is_complete_ = false;
};

}  // namespace oriel
