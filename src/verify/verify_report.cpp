#include "verify/verify_report.h"

#include <boost/json/value_from.hpp>
#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

namespace oriel {

namespace json = boost::json;

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
  text += fmt::format(
      "\nServer: {} starts, {} kills, {} stops, {} crashes at {} failpoints\n"
      "Connections: {}, of which {} were cut, {} stalled, {} slowed\n",
      report.lives.started, report.lives.killed, report.lives.stopped,
      report.lives.crashed_at.size(), report.failpoints, report.proxy.connections, report.proxy.cut,
      report.proxy.stalled, report.proxy.slowed);
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
  return {{"is_kept", report.is_kept()},
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
}

}  // namespace oriel
