#include "cli/commands/cluster_command.h"

#include "base/text/json_access.h"
#include "base/text/json_text.h"
#include "base/text/printable.h"
#include "cli/report_error.h"
#include "client/session_api.h"
#include "server/refound.h"

#include <spdlog/fmt/ranges.h>

#include <ostream>
#include <string_view>
#include <vector>

namespace oriel {
namespace {

namespace json = boost::json;

std::int64_t count_at(const json::value& object, std::string_view key) {
  return number_of(member(object, key)).value_or(0);
}

std::string state_of(const json::value& node) {
  if (!is_true(member(node, "serving"))) return "starting";
  return is_true(member(node, "draining")) ? "draining" : "serving";
}

std::string chain_of(const json::value& node) {
  const json::value& agreed = member(node, "chain_agreed");
  if (!agreed.is_bool()) return "";
  return agreed.get_bool() ? "same events" : "DIFFERS";
}

// " [gpu, linux]"
std::string labels_of(const json::value& node) {
  std::vector<std::string_view> labels;
  for (const json::value& label : elements_of(member(node, "labels")))
    labels.push_back(text_of(label));
  return labels.empty() ? "" : fmt::format(" [{}]", fmt::join(labels, ", "));
}

std::string node_line(const json::value& node) {
  const std::string mark = is_true(member(node, "self")) ? "*" : " ";
  return fmt::format("{} {:<16} {:<9} {:>4}/{:<4} lag {:<6} {:<12} {} {}{}", mark,
                     text_at(node, "name"), state_of(node), count_at(node, "sessions"),
                     count_at(node, "max_sessions"), count_at(node, "lag"), chain_of(node),
                     text_at(node, "version"), text_at(node, "url"), labels_of(node));
}

}  // namespace

std::string cluster_report(const json::object& status) {
  const json::value& log = member(status, "log");
  const json::value& nats = member(status, "nats");
  std::string report;
  for (const json::value& node : elements_of(member(status, "nodes")))
    report += node_line(node) + "\n";
  report += fmt::format("log  {}, place {} of {}, {} replica(s){}\n", text_at(log, "name"),
                        count_at(log, "place"), count_at(log, "known"), count_at(log, "replicas"),
                        text_at(log, "leader").empty() ? "" : ", leader " + text_at(log, "leader"));
  report += is_true(member(nats, "connected"))
                ? "NATS connected, version " + text_at(nats, "version") + "\n"
                : "NATS not connected\n";
  for (const json::value& warning : elements_of(member(status, "warnings")))
    report += "warning: " + std::string(text_of(warning)) + "\n";
  return printable_lines(report);
}

int cluster_command(const ClusterStatusOptions& options, std::ostream& out, std::ostream& err) {
  const auto status = get_now(options.server, "/api/cluster");
  if (!status) return report_error(err, status.error(), kExitFailure);
  if (!is_true(member(*status, "enabled"))) {
    const Error alone{.kind = ErrorKind::kFailed,
                      .message = "this server is not in a cluster",
                      .hint = "start it with --cluster, see docs/cluster.md"};
    return report_error(err, alone, kExitFailure);
  }
  out << (options.is_json ? json_text(*status) + "\n" : cluster_report(object_of(*status)))
      << std::flush;
  return out ? 0 : kExitFailure;
}

int refound_command(const ClusterRefoundOptions& options, std::ostream& out, std::ostream& err) {
  const auto report = refound(options.node, options.is_forced);
  if (!report) return report_error(err, report.error(), kExitFailure);
  out << *report << std::flush;
  return out ? 0 : kExitFailure;
}

}  // namespace oriel
