#include "server/refound.h"

#include "base/log.h"
#include "cluster/start/refound.h"
#include "server/module_options.h"

#include <spdlog/fmt/fmt.h>

#include <filesystem>

namespace oriel {

Result<std::string> refound(const ServeOptions& options, bool is_forced) {
  if (options.cluster.empty()) {
    return Error{.kind = ErrorKind::kBadConfig,
                 .message = "no NATS server is given",
                 .hint = "use the --cluster of the node, or its oriel.toml"};
  }
  const SqliteEngineOptions journal = sqlite_options(options);
  if (!std::filesystem::exists(journal.file)) {
    return Error{.kind = ErrorKind::kBadConfig,
                 .message = "there is no journal " + journal.file.string(),
                 .hint = "run this on a node that has one"};
  }
  set_log_level("error");
  const ClusterOptions cluster = cluster_options(options, ORIEL_VERSION);
  const auto founded = refound_log({.nats = {.servers = cluster.servers,
                                             .name = "oriel refound",
                                             .credentials = cluster.credentials,
                                             .ca = cluster.ca},
                                    .node = cluster.node,
                                    .replicas = cluster.replicas,
                                    .journal = journal,
                                    .is_forced = is_forced});
  if (!founded) return founded.error();
  return fmt::format(
      "Founded generation {} of the log {}: it goes on after event {} of this journal.\n"
      "Start this node, then the others. Clients with older cursors receive a gap.\n",
      founded->generation, founded->log, founded->head);
}

}  // namespace oriel
