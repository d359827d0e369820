#include "verify/verify_report.h"

#include <boost/json/value_from.hpp>
#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

namespace oriel {

namespace json = boost::json;

namespace {

std::string server_text(const VerifyReport& report) {
  return fmt::format("Server: {} starts, {} kills, {} stops, {} crashes at {} failpoints\n",
                     report.lives.started, report.lives.killed, report.lives.stopped,
                     report.lives.crashed_at.size(), report.failpoints);
}

std::string cluster_text(const ClusterCounts& cluster) {
  std::vector<std::string> faults;
  for (std::size_t i = 0; i < cluster.faults.size(); ++i) {
    faults.push_back(
        fmt::format("{} {}", cluster.faults[i], name_of(static_cast<ClusterFaultKind>(i))));
  }
  return fmt::format("Cluster: {} nodes, {} starts; {}\n", cluster.nodes, cluster.starts,
                     fmt::join(faults, ", "));
}

json::object cluster_json(const ClusterCounts& cluster) {
  json::object faults;
  for (std::size_t i = 0; i < cluster.faults.size(); ++i)
    faults[name_of(static_cast<ClusterFaultKind>(i))] = cluster.faults[i];
  return {{"nodes", cluster.nodes}, {"starts", cluster.starts}, {"faults", std::move(faults)}};
}

}  // namespace

std::string report_text(const VerifyReport& report) {
  std::string text;
  for (const Verdict& verdict : report.verdicts) {
    text += fmt::format("{} {:<21} {}", verdict.is_kept() ? "✓" : "✗", name_of(verdict.promise),
                        verdict.summary);
    if (verdict.broken > 0) text += fmt::format("; broken {} times", verdict.broken);
    if (verdict.checked == 0) text += "; nothing was proven";
    text += '\n';
    for (const std::string& example : verdict.examples)
      text += "    " + example + '\n';
  }
  text += '\n';
  text += report.cluster.nodes > 0 ? cluster_text(report.cluster) : server_text(report);
  text += fmt::format("Connections: {}, of which {} were cut, {} stalled, {} slowed\n",
                      report.proxy.connections, report.proxy.cut, report.proxy.stalled,
                      report.proxy.slowed);
  if (!report.lives.not_reached.empty()) {
    text += fmt::format("Failpoints that were not reached: {}\n",
                        fmt::join(report.lives.not_reached, ", "));
  }
  return text + fmt::format("Seed: {}\n", report.seed);
}

json::object report_json(const VerifyReport& report) {
  json::array promises;
  for (const Verdict& verdict : report.verdicts) {
    promises.push_back({{"promise", name_of(verdict.promise)},
                        {"is_kept", verdict.is_kept()},
                        {"summary", verdict.summary},
                        {"checked", verdict.checked},
                        {"broken", verdict.broken},
                        {"examples", json::value_from(verdict.examples)}});
  }
  const LifeCounts& lives = report.lives;
  const ProxyCounts& proxy = report.proxy;
  json::object object{{"is_kept", report.is_kept()},
                      {"seed", report.seed},
                      {"promises", std::move(promises)},
                      {"server",
                       {{"started", lives.started},
                        {"killed", lives.killed},
                        {"stopped", lives.stopped},
                        {"crashed_at", json::value_from(lives.crashed_at)},
                        {"not_reached", json::value_from(lives.not_reached)}}},
                      {"connections",
                       {{"opened", proxy.connections},
                        {"cut", proxy.cut},
                        {"stalled", proxy.stalled},
                        {"slowed", proxy.slowed}}}};
  if (report.cluster.nodes > 0) object["cluster"] = cluster_json(report.cluster);
  return object;
}

}  // namespace oriel
