#include "server/serve.h"

#include "base/log.h"
#include "posix/cgroup.h"
#include "posix/guard/agent_guard.h"
#include "posix/log_writer.h"
#include "posix/process_settings.h"
#include "posix/socket_file.h"
#include "server/connection_limit.h"
#include "server/server.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iostream>

namespace oriel {

namespace {

// Accepting more connections than there are descriptors would starve the journal and agents.
void fit_connections_into_open_files(ServeOptions& options) {
  const std::uint64_t files = raise_open_file_limit();
  const std::uint64_t most = max_connections_within(files, options.max_sessions);
  if (options.max_connections <= most) return;
  log()->warn(
      "--max-connections {}: at most {} connections, because the limit of open files is {}; raise "
      "it (ulimit -Hn)",
      options.max_connections, most, files);
  options.max_connections = most;
}

// That of a deep data directory; a path that the operator chose has been checked.
void drop_socket_with_long_path(ServeOptions& options) {
  if (!options.socket || options.socket->native().size() <= kMaxSocketPath) return;
  log()->warn(
      "no Unix socket: {} has more than {} bytes; set a shorter path with --socket, or none",
      options.socket->string(), kMaxSocketPath);
  options.socket = "";
}

// The guard of the agents shares the cgroup, which must hold no other process before.
void enable_limits_of_agents(const ServeOptions& options) {
  const auto has_limit = [](const AgentSpec& spec) { return spec.max_memory > 0; };
  if (std::any_of(options.agents.begin(), options.agents.end(), has_limit)) enable_cgroup_limits();
}

}  // namespace

int serve(ServeOptions options) {
  set_log_level(options.log_level);
  std::signal(SIGPIPE, SIG_IGN);  // a closed connection is an error code instead
  std::signal(SIGXFSZ, SIG_IGN);  // so is a file at its limit of size
  std::signal(SIGHUP, SIG_IGN);   // until the server handles it
  make_new_files_private();
  enable_limits_of_agents(options);
  const AgentGuard guard;  // before the threads
  const BackgroundLog background_log;
  try {
    fit_connections_into_open_files(options);
    drop_socket_with_long_path(options);
    Server server(options);
    server.run([&] { std::cout << "Oriel is ready: " << server.url() << std::endl; });
    return 0;
  } catch (const UsageError& error) {
    std::cerr << "oriel: " << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "oriel: " << error.what() << '\n';
    return 1;
  }
}

}  // namespace oriel
