#pragma once
// Where new sessions go. Pure.

#include "cluster/peers.h"

#include <span>
#include <string>

namespace oriel {

enum class Placement {
  kLocal,   // the node that is asked
  kSpread,  // the node with the lowest share of its limit in use
};

// The node for a new session; empty: this one. A node that drains, or whose limit is not known yet,
// gets none. Of equally loaded nodes this one is preferred, then the first of `others`.
std::string least_loaded_node(const NodeLoad& own, std::span<const Node> others);

}  // namespace oriel
