#include "supervisor/cluster/placement.h"

namespace oriel {
namespace {

// Compares sessions / max_sessions without fractions.
bool is_less_loaded(const NodeLoad& one, const NodeLoad& other) {
  return one.sessions * other.max_sessions < other.sessions * one.max_sessions;
}

bool takes_sessions(const NodeLoad& load) {
  return !load.is_draining && load.max_sessions > 0;
}

}  // namespace

std::string least_loaded_node(const NodeLoad& own, std::span<const Node> others) {
  std::string chosen;
  NodeLoad least = own;
  for (const Node& node : others) {
    if (!takes_sessions(node.load)) continue;
    if (takes_sessions(least) && !is_less_loaded(node.load, least)) continue;
    chosen = node.name;
    least = node.load;
  }
  return chosen;
}

}  // namespace oriel
