#pragma once
// Where new sessions go. Pure.

#include "base/error.h"
#include "cluster/peers.h"

#include <set>
#include <span>
#include <string>
#include <vector>

namespace oriel {

enum class Placement {
  kLocal,   // the node that is asked
  kSpread,  // the node with the lowest share of its limit in use
};

using NodeLabels = std::vector<std::string>;

// Whether a node with labels `has` may run what asks for the labels `wanted`.
bool has_labels(const NodeLabels& has, const NodeLabels& wanted);

// The node for a new session; empty: this one, `own`. Only nodes with the wanted labels are
// considered, and with kLocal others than this one only if it lacks a label. One that drains, or
// whose limit is not known yet, is chosen last, before it one that is at its limit or in `full`. Of
// equally loaded nodes this one is preferred, then the first of `others`. Error: node_unreachable,
// if no node has the labels, or only other ones that drain.
Result<std::string> choose_node(Placement placement, const Node& own, std::span<const Node> others,
                                const NodeLabels& wanted, const std::set<std::string>& full = {});

// For a request that names a node without these labels.
Error lacks_labels(const Node& node, const NodeLabels& wanted);

}  // namespace oriel
