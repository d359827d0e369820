#include "verify/cluster/cluster_run.h"

#include "base/id.h"
#include "verify/client_verdicts.h"
#include "verify/cluster/tested_cluster.h"
#include "verify/verify_clients.h"

#include <spdlog/fmt/fmt.h>

#include <chrono>
#include <utility>
#include <vector>

namespace oriel {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSessions = 6;

std::string describe(const TestedCluster& cluster, const ClusterFault& fault) {
  const std::string node = is_of_node(fault.kind) ? " " + cluster.name_of_node(fault.node) : "";
  return fmt::format("{}{}, for {} ms", name_of(fault.kind), node, fault.away.count());
}

// The journals of all nodes up to this event, under their names.
asio::awaitable<std::vector<NodeJournal>> read_journals(const TestedCluster& cluster,
                                                        Sequence until) {
  std::vector<NodeJournal> journals;
  for (ServerAccess& node : cluster.nodes()) {
    const std::string name = cluster.name_of_node(journals.size());
    auto reading = read_journal(node, "0", until);
    journals.push_back({.node = name, .events = {}});
    journals.back().events = co_await std::move(reading);
  }
  co_return journals;
}

}  // namespace

asio::awaitable<Result<void>> verify_cluster(
    asio::any_io_executor shard, const VerifyOptions& options, FaultyProxy& proxy, FaultLog& log,
    const std::function<void(const std::string&)>& progress, VerifyReport& report) {
  TestedCluster cluster(shard,
                        {.program = options.program,
                         .directory = options.directory,
                         .nodes = options.nodes,
                         .mutants = options.mutants},
                        proxy, log);
  progress(fmt::format("starting {} nodes and a NATS server", options.nodes));
  auto starting = cluster.start();
  Result<void> health = co_await std::move(starting);
  if (!health) {
    co_await cluster.stop();
    co_return health.error();
  }
  VerifyClients clients(shard, {.proxied = {.url = loopback_url(proxy.port()), .token = {}},
                                .name = "verify-" + random_id(),
                                .seed = options.seed,
                                .sessions = kSessions,
                                .has_long_tasks = true});
  clients.start();
  ClusterSchedule schedule(options.seed, options.nodes);
  const auto until = Clock::now() + options.duration;
  // A mutant is found by any fault that meets it.
  const bool needs_all = options.mutants.empty();
  while (health && ((needs_all && !schedule.is_complete()) || Clock::now() < until)) {
    const ClusterFault fault = schedule.next();
    progress(describe(cluster, fault));
    auto suffering = cluster.suffer(fault);
    health = co_await std::move(suffering);
  }
  proxy.calm_down();
  if (health) {
    progress("waiting for the watchers, and reading the journals of all nodes");
    auto judging = judge_clients(clients, cluster.nodes().front(), "0");
    ClientVerdicts judged = co_await std::move(judging);
    for (Verdict& verdict : judged.verdicts)
      report.verdicts.push_back(std::move(verdict));
    auto reading = read_journals(cluster, judged.last);
    const std::vector<NodeJournal> journals = co_await std::move(reading);
    report.verdicts.push_back(judge_agreement(journals));
  } else {
    co_await clients.quiet();
    co_await clients.end();
    Verdict verdict{.promise = Promise::kNodesAgree, .summary = {}, .examples = {}};
    verdict.fail(health.error().message);
    report.verdicts.push_back(std::move(verdict));
  }
  co_await cluster.stop();
  report.verdicts.push_back(judge_memory(cluster.peaks(), options.memory_limit));
  report.verdicts.push_back(judge_stops(cluster.ends(), ServerLives::kStopLimit));
  report.cluster = {.nodes = options.nodes, .starts = cluster.starts(), .faults = cluster.counts()};
  co_return Result<void>();
}

}  // namespace oriel
