#pragma once
// `oriel verify`: runs clients against a server that is disturbed in every way, and judges at the
// end what they have seen.

#include "verify/cluster/cluster_schedule.h"
#include "verify/faulty_proxy.h"
#include "verify/promise.h"
#include "verify/server_lives.h"
#include "verify/verify_options.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace oriel {

// What happened to the nodes of a cluster.
struct ClusterCounts {
  std::size_t nodes = 0;  // 0: there was no cluster
  std::uint64_t starts = 0;
  ClusterFaultCounts faults{};
};

struct VerifyReport {
  std::uint64_t seed = 0;
  ClusterCounts cluster;
  LifeCounts lives;
  ProxyCounts proxy;
  std::size_t failpoints = 0;  // in this build
  std::vector<Verdict> verdicts;

  bool is_kept() const;
};

// Blocks. `progress` is called with a line for people. Errors: the server cannot be reached.
Result<VerifyReport> verify(const VerifyOptions& options,
                            const std::function<void(const std::string&)>& progress);

}  // namespace oriel
