#include "supervisor/cluster/placement.h"

#include "base/text/quote.h"

#include <spdlog/fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace oriel {
namespace {

// Better ones first.
enum class Room { kFree, kFull, kNone };

Room room_of(const Node& node, const std::set<std::string>& full) {
  const NodeLoad& load = node.load;
  if (load.is_draining || load.max_sessions == 0) return Room::kNone;
  const bool is_full = load.sessions >= load.max_sessions || full.contains(node.name);
  return is_full ? Room::kFull : Room::kFree;
}

// Compares sessions / max_sessions without fractions.
bool is_less_loaded(const NodeLoad& one, const NodeLoad& other) {
  return one.sessions * other.max_sessions < other.sessions * one.max_sessions;
}

bool has_label(const NodeLabels& has, const std::string& label) {
  return std::find(has.begin(), has.end(), label) != has.end();
}

NodeLabels missing_labels(const NodeLabels& has, const NodeLabels& wanted) {
  NodeLabels missing;
  std::copy_if(wanted.begin(), wanted.end(), std::back_inserter(missing),
               [&](const std::string& label) { return !has_label(has, label); });
  return missing;
}

// "the label "gpu"", "the labels "gpu", "linux"".
std::string name_labels(const NodeLabels& labels) {
  std::vector<std::string> quoted;
  for (const std::string& label : labels)
    quoted.push_back(quote(label));
  return fmt::format("the label{} {}", labels.size() == 1 ? "" : "s", fmt::join(quoted, ", "));
}

Error no_node_with(const NodeLabels& wanted, const Node& own, std::span<const Node> others) {
  NodeLabels known = own.labels;
  for (const Node& node : others)
    known.insert(known.end(), node.labels.begin(), node.labels.end());
  const NodeLabels unknown = missing_labels(known, wanted);
  const NodeLabels& named = unknown.empty() ? wanted : unknown;
  return {.kind = ErrorKind::kNodeUnreachable,
          .message = "no node that can be reached has " + name_labels(named) +
                     (unknown.empty() ? " together" : ""),
          .hint = fmt::format("start a node with --node-labels {}; oriel cluster status shows the "
                              "labels of all nodes",
                              fmt::join(wanted, ","))};
}

Error none_takes_sessions(const NodeLabels& wanted) {
  return {.kind = ErrorKind::kNodeUnreachable,
          .message = "every node with " + name_labels(wanted) + " is starting or stopping",
          .hint = "retry after a second"};
}

}  // namespace

bool has_labels(const NodeLabels& has, const NodeLabels& wanted) {
  return missing_labels(has, wanted).empty();
}

Result<std::string> choose_node(Placement placement, const Node& own, std::span<const Node> others,
                                const NodeLabels& wanted, const std::set<std::string>& full) {
  const Node* chosen = has_labels(own.labels, wanted) ? &own : nullptr;
  const bool stays = chosen != nullptr && placement == Placement::kLocal;
  if (stays) return Result<std::string>(boost::system::in_place_value, "");
  for (const Node& node : others) {
    if (!has_labels(node.labels, wanted)) continue;
    if (chosen != nullptr) {
      const Room room = room_of(node, full);
      const Room least = room_of(*chosen, full);
      const bool is_better =
          room < least || (room == least && is_less_loaded(node.load, chosen->load));
      if (!is_better) continue;
    }
    chosen = &node;
  }
  if (chosen == nullptr) return no_node_with(wanted, own, others);
  if (chosen == &own) return Result<std::string>(boost::system::in_place_value, "");
  if (room_of(*chosen, full) == Room::kNone) return none_takes_sessions(wanted);
  return chosen->name;
}

Error lacks_labels(const Node& node, const NodeLabels& wanted) {
  return {.kind = ErrorKind::kInvalidRequest,
          .message = "node: " + quote(node.name) + " lacks " +
                     name_labels(missing_labels(node.labels, wanted)),
          .hint = "leave out the node, or choose one that has it: oriel cluster status"};
}

}  // namespace oriel
