#include "server/serve.h"

#include "auth/token_store.h"
#include "base/log.h"
#include "http/transport/tls_context.h"
#include "posix/cgroup.h"
#include "posix/environment.h"
#include "posix/file_lock.h"
#include "posix/guard/agent_guard.h"
#include "posix/log_writer.h"
#include "posix/process_settings.h"
#include "posix/service/service_manager.h"
#include "posix/socket_file.h"
#include "server/connection_limit.h"
#include "server/module_options.h"
#include "server/passed_listeners.h"
#include "server/server.h"
#include "server/takeover/handover_socket.h"
#include "server/takeover/takeover.h"
#include "server/usage_error.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <functional>
#include <iostream>
#include <optional>
#include <unistd.h>

namespace oriel {

namespace {

constexpr std::chrono::milliseconds kSuccessorLimit{600'000};  // it may have a journal to repair
constexpr std::chrono::milliseconds kSuccessorEnd{5'000};

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

// Applies to the default path in a deep data directory. A path of the operator has been checked.
void drop_socket_with_long_path(ServeOptions& options) {
  if (!options.socket || options.socket->native().size() <= kMaxSocketPath) return;
  log()->warn(
      "no Unix socket: {} has more than {} bytes; set a shorter path with --socket, or none",
      options.socket->string(), kMaxSocketPath);
  options.socket = "";
}

// Call it before the agents' guard starts: the cgroup must hold no other process then.
void enable_limits_of_agents(const ServeOptions& options) {
  const auto has_limit = [](const AgentSpec& spec) { return spec.max_memory > 0; };
  if (std::any_of(options.agents.begin(), options.agents.end(), has_limit)) enable_cgroup_limits();
}

// Reports everything that can be checked before the running server is asked to stop.
asio::ip::tcp::endpoint check_usable(const ServeOptions& options) {
  TokenStore tokens(options.data_dir / "tokens.json");
  supervisor_options(options, tokens.session_tokens());
  if (!options.tls_cert.empty()) {
    const http::TlsContext usable(
        {.cert = options.tls_cert, .key = options.tls_key, .client_ca = options.tls_client_ca});
  }
  return listen_endpoint(options, tokens.has_valid_token(wall_now()));
}

// Adds the listeners of the running server, which has then ended its work. None if no server runs.
std::optional<Takeover> take_over(const ServeOptions& options, http::Listeners& listeners) {
  auto takeover = Takeover::begin(options.data_dir);
  if (!takeover) {
    log()->info("no server runs in {}: nothing to take over", options.data_dir.string());
    return std::nullopt;
  }
  const std::filesystem::path socket = options.socket.value_or(std::filesystem::path());
  const auto address = check_usable(options);
  const bool has_socket{listeners.unix_socket};
  http::Listeners taken =
      takeover->take_listeners(address, has_socket ? std::filesystem::path() : socket);
  if (!listeners.tcp) listeners.tcp = std::move(taken.tcp);
  if (!has_socket) {
    listeners.unix_socket = std::move(taken.unix_socket);
    listeners.socket_file = std::move(taken.socket_file);
  }
  listeners = http::listen(std::move(listeners), address, socket);
  log()->info("taking over from process {}, version {}", takeover->offer().process,
              takeover->offer().version);
  takeover->drain();
  return takeover;
}

// A new process gets the listeners and goes on. If it does not, this one serves again.
void serve_until_stopped(const ServeOptions& options, const ServiceManager& service,
                         http::Listeners listeners,
                         std::function<void(const std::string& url)> on_ready) {
  while (true) {
    std::optional<Handover> handover;
    {
      Server server(options, service, std::move(listeners));
      handover = server.run([&] { on_ready(server.url()); });
    }
    if (!handover) return;
    Successor& successor = handover->successor;
    if (await_successor(successor.connection, kSuccessorLimit)) {
      const bool is_taken = successor.request.takes_socket_file;
      if (is_taken && handover->listeners.socket_file) handover->listeners.socket_file->disown();
      log()->info("the new process serves; this one ends");
      return;
    }
    log()->error("the new process has gone before it was ready: serving again");
    std::signal(SIGHUP, SIG_IGN);  // as above
    wait_until_unlocked(options.data_dir / "journal.db.lock", kSuccessorEnd);
    listeners = std::move(handover->listeners);
    on_ready = [&service](const std::string&) { service.ready(); };
  }
}

std::string notify_socket(const Environment& environment) {
  const auto found = environment.find("NOTIFY_SOCKET");
  return found == environment.end() ? std::string() : found->second;
}

void run(const ServeOptions& options, const Environment& environment, http::Listeners listeners) {
  const ServiceManager service(notify_socket(environment));
  std::optional<Takeover> takeover;
  if (options.takes_over) takeover = take_over(options, listeners);
  serve_until_stopped(options, service, std::move(listeners), [&](const std::string& url) {
    std::cout << "Oriel is ready: " << url << std::endl;
    service.ready();
    if (takeover) takeover->ready();
  });
}

}  // namespace

int serve(ServeOptions options) {
  set_log_level(options.log_level);
  std::signal(SIGPIPE, SIG_IGN);  // a closed connection is an error code instead
  std::signal(SIGXFSZ, SIG_IGN);  // so is a file at its limit of size
  std::signal(SIGHUP, SIG_IGN);   // until the server handles it
  make_new_files_private();
  const Environment environment = own_environment();
  enable_limits_of_agents(options);
  const AgentGuard guard;  // before the threads
  const BackgroundLog background_log;
  try {
    fit_connections_into_open_files(options);
    drop_socket_with_long_path(options);
    run(options, environment, take_passed_listeners(options, environment, ::getpid()));
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
