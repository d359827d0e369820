#include "verify/cluster/cluster_schedule.h"

#include "base/enum_names.h"

#include <utility>

namespace oriel {
namespace {

using std::chrono::milliseconds;

constexpr std::array<std::string_view, kClusterFaultKinds> kFaultNames = {
    "kill_node", "stop_node", "freeze_node", "lose_journal", "kill_nats", "freeze_nats"};

struct Range {
  std::uint64_t least;
  std::uint64_t most;
};

// In milliseconds. A node is lost after kVerifyNodeTimeout, 3 s: a killed or stopped one may be
// back before or after that. What is published into a frozen NATS server is repeated after one
// second, and the connection to it is given up after three.
constexpr std::array<Range, kClusterFaultKinds> kAway = {
    {{0, 6000}, {0, 3000}, {4500, 7000}, {0, 500}, {0, 4000}, {1500, 4500}}};
constexpr Range kBefore = {500, 2000};

}  // namespace

std::string_view name_of(ClusterFaultKind kind) {
  return name_in(kFaultNames, kind);
}

ClusterSchedule::ClusterSchedule(std::uint64_t seed, std::size_t nodes)
    : random_(seed), nodes_(nodes) {
  shuffle();
}

ClusterFault ClusterSchedule::next() {
  if (left_.empty()) shuffle();
  const ClusterFaultKind kind = left_.back();
  left_.pop_back();
  is_complete_ = is_complete_ || left_.empty();
  const Range& away = kAway[static_cast<std::size_t>(kind)];
  // Always the same draws, so that one fault does not change the times of the later ones.
  ClusterFault fault{.kind = kind, .node = random(0, nodes_ - 1)};
  fault.before = milliseconds(random(kBefore.least, kBefore.most));
  fault.away = milliseconds(random(away.least, away.most));
  return fault;
}

void ClusterSchedule::shuffle() {
  for (std::size_t i = 0; i < kClusterFaultKinds; ++i)
    left_.push_back(static_cast<ClusterFaultKind>(i));
  // Not std::shuffle, whose order depends on the library.
  for (std::size_t i = left_.size(); i > 1; --i)
    std::swap(left_[i - 1], left_[random(0, i - 1)]);
}

std::uint64_t ClusterSchedule::random(std::uint64_t from, std::uint64_t to) {
  return from + random_() % (to - from + 1);
}

}  // namespace oriel
