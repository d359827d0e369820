#include "server/module_options.h"

#include "agent/agent_secrets.h"
#include "agent/known_agents.h"
#include "base/text/quote.h"
#include "posix/environment.h"
#include "posix/program.h"
#include "runtime/ip_address.h"
#include "server/agent_config.h"
#include "server/load_options.h"
#include "server/usage_error.h"

#include <algorithm>
#include <array>
#include <unistd.h>

namespace oriel {
namespace {

ClientLimits client_limits(const ServeOptions& options) {
  const std::uint64_t half = std::max<std::uint64_t>(options.max_sse_clients / 2, 1);
  const std::uint64_t own = options.max_sse_clients_per_principal;
  return {.all = options.max_sse_clients, .per_principal = own == 0 ? half : own};
}

ObserverOptions observer_options(const ServeOptions& options) {
  ObserverOptions result;
  result.agent.redactor = observed_redactor(options);
  result.transcript_roots = options.transcript_roots.value_or(std::vector<std::string>());
  result.max_observed = options.max_observed;
  result.max_imported = options.max_imported;
  result.agent.limits.silent_after = options.observed_silence;
  result.agent.limits.tool_long_after = options.observed_silence;
  result.agent.tick_every = std::clamp<std::chrono::milliseconds>(
      options.observed_silence / 4, std::chrono::milliseconds(10), std::chrono::seconds(5));
  result.agent.projects = options.projects;
  return result;
}

// A sandbox reaches Oriel at 127.0.0.1 only.
void check_listener(const ServeOptions& options) {
  const auto address = asio::ip::make_address(options.listen_host);
  const bool is_there = address.is_unspecified() || options.listen_host == "127.0.0.1";
  const auto needs_it = [](const AgentSpec& spec) { return spec.allow_oriel; };
  const auto found = std::find_if(options.agents.begin(), options.agents.end(), needs_it);
  if (is_there || found == options.agents.end()) return;
  throw UsageError("--listen " + options.listen_host + ": [agents." + found->name +
                   "] allow_oriel needs 127.0.0.1 or all addresses");
}

// Workspaces are pushed with it.
void check_git(const ServeOptions& options) {
  if (!any_synced(options.projects)) return;
  const Environment own = own_environment();
  const auto path = own.find("PATH");
  const auto git = find_program("git", path == own.end() ? std::string() : path->second);
  if (!git) throw UsageError(R"(sync = "git": )" + describe(git.error()));
}

// The part before the first dot: the rest is the network's.
std::string machine_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  std::string node(name.data());
  node.resize(std::min(node.find('.'), node.size()));
  if (!is_node_name(node))
    throw UsageError("--node: this machine's name " + quote(node) +
                     " cannot name a node; set a name of A-Z a-z 0-9 _ -");
  return node;
}

// Without links: agents start only in real paths.
std::filesystem::path real_data_dir(const ServeOptions& options) {
  std::error_code ec;
  const std::filesystem::path absolute = std::filesystem::absolute(options.data_dir);
  const auto real = std::filesystem::weakly_canonical(absolute, ec);
  return ec ? absolute : real;
}

// One that the nodes share must exist: it may be a mount that is missing.
std::filesystem::path workspaces_of(const ServeOptions& options) {
  if (options.shared_workspaces.empty()) return real_data_dir(options) / "workspaces";
  const auto real = check_workspace(std::filesystem::absolute(options.shared_workspaces));
  if (!real) throw UsageError("--shared-workspaces: " + describe(real.error()));
  return *real;
}

}  // namespace

std::uint64_t reserve_bytes(const ServeOptions& options) {
  return options.store == StoreKind::kMemory ? 0 : options.reserve_bytes;
}

FeedOptions feed_options(const ServeOptions& options) {
  return {.clients = client_limits(options),
          .max_queued_bytes = options.max_queue_bytes,
          .heartbeat = options.heartbeat,
          .stall_timeout = options.stall_timeout,
          .retry = options.retry};
}

AuthOptions auth_options(const ServeOptions& options,
                         std::function<void(const http::Route&, const http::Request&)> audit) {
  return {.origins = {.public_url = options.public_url,
                      .allowed_origins = options.allowed_origins,
                      .is_tls = !options.tls_cert.empty()},
          .local_trust = options.local_trust,
          .on_missing_scope = std::move(audit)};
}

std::function<bool(const Principal&)> validity_of(const TokenStore& tokens) {
  return [&tokens](const Principal& principal) { return tokens.is_valid(principal, wall_now()); };
}

McpArchiveOptions mcp_archive_options(const ServeOptions& options, const Cluster* cluster) {
  const bool is_kept = options.store != StoreKind::kMemory;
  return {.durability = is_kept ? McpDurability::kRestart : McpDurability::kNothing,
          .peers = cluster == nullptr ? nullptr : &cluster->peers()};
}

mcp::Options mcp_options(const ServeOptions& options, const TokenStore& tokens) {
  mcp::Options result;
  result.is_valid = validity_of(tokens);
  result.max_sessions = options.mcp_max_sessions;
  result.max_sessions_per_principal = options.mcp_max_sessions_per_principal;
  result.max_calls_per_session = options.mcp_max_calls_per_session;
  result.event_store_bytes = options.event_store_bytes;
  result.session_ttl = options.mcp_session_ttl;
  result.stall_timeout = options.stall_timeout;
  result.subscriptions.max_count = options.mcp_max_subscriptions;
  result.streams.node = "0";
  result.streams.max_streams = options.mcp_max_streams;
  result.streams.ttl = options.mcp_stream_ttl;
  result.streams.retry = options.mcp_retry;
  result.streams.delivered_after = options.stall_timeout;
  return result;
}

std::filesystem::path home_directory() {
  const Environment own = own_environment();
  const auto home = own.find("HOME");
  return home != own.end() && home->second.starts_with('/') ? home->second : "";
}

// Agents that people run usually share their environment with Oriel.
std::shared_ptr<const Redactor> observed_redactor(const ServeOptions& options) {
  return std::make_shared<const Redactor>(secrets_in(own_environment()), options.secret_patterns);
}

SearchOptions search_options(const ServeOptions& options) {
  const bool is_kept = options.store != StoreKind::kMemory;
  return {.file = is_kept ? options.data_dir / "search.db" : std::filesystem::path(),
          .max_bytes = options.search_bytes};
}

SqliteEngineOptions sqlite_options(const ServeOptions& options) {
  return {.file = options.data_dir / "journal.db",
          .durability = options.durability,
          .retention = {.max_age = options.retain_age, .max_bytes = options.retain_bytes}};
}

ClusterOptions cluster_options(const ServeOptions& options, const std::string& version) {
  return {.servers = options.cluster,
          .node = options.node.empty() ? machine_name() : options.node,
          .node_url = options.node_url,
          .version = version,
          .labels = options.node_labels,
          .replicas = static_cast<int>(options.cluster_replicas),
          .node_timeout = options.node_timeout,
          .credentials = options.cluster_credentials,
          .ca = options.cluster_ca};
}

SupervisorOptions supervisor_options(const ServeOptions& options, SessionTokens& tokens,
                                     const Cluster* cluster) {
  check_listener(options);
  check_git(options);
  SupervisorOptions result{
      .agents = merge_agents(known_agents(), options.agents),
      .default_agent = options.default_agent,
      .projects = options.projects,
      .retain_workspaces = options.retain_workspaces,
      .sandbox = {.hidden = secret_directories(options),
                  .hidden_files = secret_files(options),
                  .homes = real_data_dir(options) / "homes",
                  .workspaces = workspaces_of(options)},
      .sync_repositories = real_data_dir(options) / "sync",
      .limits = {.max_sessions = options.max_sessions,
                 .max_sessions_per_project = options.max_sessions_per_project,
                 .max_kept_sessions = options.max_kept_sessions},
      .runner = {.session = {.max_queued_messages = options.max_queued_messages,
                             .start_timeout = options.start_timeout,
                             .permission_timeout = options.permission_timeout,
                             .cancel_timeout = options.cancel_timeout,
                             .task_timeout = options.task_timeout},
                 .agent = {.max_line_bytes = options.max_line_bytes,
                           .close_grace = options.stop_timeout,
                           .term_grace = options.stop_timeout},
                 .max_event_rate = options.max_event_rate,
                 .stop_idle_after = options.stop_idle_after,
                 .command_timeout = options.command_timeout,
                 .secret_patterns = options.secret_patterns,
                 .tokens = {.issue = [&tokens](const std::string& id) { return tokens.issue(id); },
                            .revoke = [&tokens](const std::string& id) { tokens.revoke(id); }}},
      .observer = observer_options(options),
      .import = {.days = options.import_days,
                 .max_imported = options.max_imported,
                 .projects = options.projects,
                 .redactor = observed_redactor(options)},
      .uploads = {.directory = std::filesystem::absolute(options.data_dir) / "uploads",
                  .max_file_bytes = options.max_upload_bytes,
                  .max_files = options.max_upload_files,
                  .max_total_bytes = options.max_uploads_total,
                  .types = options.upload_types},
      .changes = {.directory = real_data_dir(options) / "snapshots",
                  .max_bytes = options.max_snapshot_bytes,
                  .max_files = options.max_snapshot_files,
                  .start_limit = std::chrono::seconds(5)},
      .cluster = {.placement = options.place,
                  .labels = options.node_labels,
                  .has_shared_workspaces = !options.shared_workspaces.empty(),
                  .is_founder = cluster != nullptr && cluster->has_founded()}};
  if (result.default_agent.empty())
    result.default_agent = options.agents.empty() ? "demo" : options.agents.front().name;
  const auto is_it = [&](const AgentSpec& spec) { return spec.name == result.default_agent; };
  if (std::none_of(result.agents.begin(), result.agents.end(), is_it))
    throw UsageError("--default-agent: unknown agent '" + result.default_agent + "'; add [agents." +
                     result.default_agent + "] to oriel.toml");
  return result;
}

asio::ip::tcp::endpoint listen_endpoint(const ServeOptions& options, bool has_token) {
  const auto address = asio::ip::make_address(options.listen_host);
  // The other nodes may have tokens.
  if (!options.cluster.empty()) return {address, options.listen_port};
  if (!is_loopback(address) && !has_token) {
    throw UsageError("--listen " + options.listen_host +
                     ": nobody beyond this machine has access without a token; create one first "
                     "with 'oriel token create NAME', or listen on 127.0.0.1");
  }
  if (!options.public_url.empty() && !has_token) {
    throw UsageError("--public-url " + options.public_url +
                     ": nobody has access through it without a token; create one first with "
                     "'oriel token create NAME'");
  }
  return {address, options.listen_port};
}

http::ServerOptions server_options(const ServeOptions& options,
                                   const asio::ip::tcp::endpoint& listen) {
  return {
      .listen = listen,
      .socket = options.socket.value_or(std::filesystem::path()),
      .tls = {.cert = options.tls_cert, .key = options.tls_key, .client_ca = options.tls_client_ca},
      .max_connections = options.max_connections,
      .max_connections_per_address = options.max_connections_per_address,
      .limits = {.request = {.max_header_bytes = options.max_header_bytes,
                             .max_body_bytes = options.max_body_bytes},
                 .header_timeout = options.header_timeout,
                 .body_timeout = options.body_timeout,
                 .write_timeout = options.write_timeout,
                 .idle_timeout = options.idle_timeout},
      .unacknowledged_limit = 2 * options.stall_timeout};
}

}  // namespace oriel
