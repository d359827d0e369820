#pragma once
// The nodes and the NATS server of a verification: starts them, and does to them what the schedule
// says.

#include "client/server_access.h"
#include "verify/cluster/cluster_schedule.h"
#include "verify/cluster/nats_process.h"
#include "verify/fault_log.h"
#include "verify/faulty_proxy.h"
#include "verify/tested_server.h"
#include "verify/verdicts.h"

#include <cstdint>
#include <filesystem>
#include <list>
#include <string>
#include <vector>

namespace oriel {

struct TestedClusterOptions {
  std::filesystem::path program;    // oriel
  std::filesystem::path directory;  // has a folder for each node; must exist
  std::size_t nodes = 3;
  std::string mutants = {};  // for ORIEL_FAILPOINTS, of all nodes
};

// Lives on one shard. The proxy's targets are the nodes that run.
class TestedCluster {
 public:
  TestedCluster(asio::any_io_executor shard, TestedClusterOptions options, FaultyProxy& proxy,
                FaultLog& log);

  // All nodes are ready, or the error says which one is not.
  asio::awaitable<Result<void>> start();

  // A fault from its beginning until all nodes are ready again. The same errors.
  asio::awaitable<Result<void>> suffer(ClusterFault fault);

  // Stops all that runs.
  asio::awaitable<void> stop();

  // Of each node.
  std::vector<ServerAccess> nodes() const;

  std::string name_of_node(std::size_t node) const;

  const ClusterFaultCounts& counts() const { return counts_; }

  std::uint64_t starts() const { return starts_; }

  const std::vector<ServerEnd>& ends() const { return ends_; }

  const std::vector<std::uint64_t>& peaks() const { return peaks_; }

 private:
  struct Node {
    Node(asio::any_io_executor shard, TestedServerOptions options) : server(shard, options) {}

    std::string name;
    std::filesystem::path data;
    TestedServer server;
  };

  asio::awaitable<Result<void>> begin(Node& node);
  asio::awaitable<void> kill(Node& node);
  asio::awaitable<void> terminate(Node& node);
  asio::awaitable<Result<void>> heal();
  asio::awaitable<Result<void>> restart_if_ended(Node& node);
  asio::awaitable<void> rest(std::chrono::milliseconds duration);
  std::vector<pid_t> running() const;
  void aim_proxy();

  asio::any_io_executor shard_;
  TestedClusterOptions options_;
  FaultyProxy& proxy_;
  FaultLog& log_;
  NatsProcess nats_;
  std::list<Node> nodes_;
  ClusterFaultCounts counts_{};
  std::uint64_t starts_ = 0;
  std::vector<ServerEnd> ends_;
  std::vector<std::uint64_t> peaks_;
};

}  // namespace oriel
