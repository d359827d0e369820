#pragma once
// The other nodes of a cluster: which are alive, which were lost, and calls to them.

#include "base/error.h"
#include "runtime/asio.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

// What a node tells the others about its work, for placement.
struct NodeLoad {
  bool is_draining = false;  // it takes no new sessions
  std::size_t sessions = 0;  // running agents
  std::size_t max_sessions = 0;

  bool operator==(const NodeLoad&) const = default;
};

// A node as its last heartbeat describes it.
struct Node {
  std::string name = {};                 // stable and unique in the cluster
  std::string life = {};                 // "<name>.<random>": of this run of its process
  std::string url = {};                  // where others reach its HTTP server; empty: nowhere
  std::string version = {};              // of Oriel
  std::vector<std::string> labels = {};  // of --node-labels
  std::uint64_t place = 0;               // of the log, applied
  std::uint64_t chain = 0;               // at that place
  NodeLoad load = {};

  bool operator==(const Node&) const = default;
};

constexpr std::size_t kMaxCallBytes = 1000 << 10;  // of a call's body and of its answer

// A program that is its own cluster has none of these. Safe from any thread, unless it says
// otherwise.
class Peers {
 public:
  using Handler = std::function<asio::awaitable<Result<std::string>>(std::string body)>;

  virtual ~Peers() = default;

  virtual const std::string& self() const = 0;  // this node's name
  virtual const std::string& life() const = 0;  // the value of owner documents of this process

  // The others, ordered by name. One that does not serve yet is draining.
  virtual std::vector<Node> alive() const = 0;
  virtual std::optional<Node> find(const std::string& name) const = 0;  // among alive()

  // Calls `listener` on the first shard when a life of a node is considered dead: it has been
  // silent for the node time-out, or has left and not returned by then, while this node heard its
  // own heartbeats and had applied the whole log. A node that was only frozen may return, and be
  // lost again. Not called for a life that a new one of the same node has replaced: that one knows
  // what the old one has left. Set before start().
  virtual void on_lost(std::function<void(Node)> listener) = 0;

  // Has a node handle `body`. The answer arrives once this node has applied all that the other one
  // had applied when it answered, so that the caller reads its own writes. An error is the
  // handler's, kNodeUnreachable if there is no answer within `deadline` (then the call may still
  // take effect), or kBodyTooLarge. The caller resumes on its own shard.
  virtual asio::awaitable<Result<std::string>> call(std::string node, std::string method,
                                                    std::string body,
                                                    std::chrono::milliseconds deadline) = 0;

  // Handles calls of this method, on the first shard. Set before start().
  virtual void serve(std::string method, Handler handler) = 0;

  // For the next heartbeats.
  virtual void announce(NodeLoad load) = 0;
};

}  // namespace oriel
