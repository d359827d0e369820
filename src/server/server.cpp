#include "server/server.h"

#include "agent/known_agents.h"
#include "base/log.h"
#include "journal/memory_engine.h"
#include "journal/sqlite_engine.h"
#include "server/agent_config.h"

#include <boost/asio/co_spawn.hpp>

#include <algorithm>
#include <csignal>
#include <unistd.h>

namespace oriel {
namespace {

constexpr std::chrono::seconds kTokenReload{1};

std::filesystem::path make_data_dir(const std::filesystem::path& dir) {
  std::error_code ec;
  const bool is_new = std::filesystem::create_directories(dir, ec);
  if (ec) {
    throw UsageError("--data-dir: cannot create " + dir.string() + ": " + ec.message() +
                     "; choose a writable directory");
  }
  if (is_new) std::filesystem::permissions(dir, std::filesystem::perms::owner_all, ec);
  return dir;
}

std::unique_ptr<JournalEngine> make_engine(const ServeOptions& options) {
  if (options.store == StoreKind::kMemory) {
    return make_memory_engine({.max_bytes = options.event_store_bytes,
                               .max_events_per_session = options.events_per_session,
                               .max_age = options.retain_age});
  }
  return open_sqlite_engine(
      {.file = options.data_dir / "journal.db",
       .durability = options.durability,
       .retention = {.max_age = options.retain_age, .max_bytes = options.retain_bytes}});
}

FeedOptions feed_options(const ServeOptions& options) {
  return {.max_clients = options.max_sse_clients,
          .max_queued_bytes = options.max_queue_bytes,
          .heartbeat = options.heartbeat,
          .stall_timeout = options.stall_timeout,
          .retry = options.retry};
}

mcp::Options mcp_options(const ServeOptions& options) {
  mcp::Options result;
  result.max_sessions = options.mcp_max_sessions;
  result.event_store_bytes = options.event_store_bytes;
  result.session_ttl = options.mcp_session_ttl;
  result.stall_timeout = options.stall_timeout;
  result.streams.node = "0";
  result.streams.max_streams = options.mcp_max_streams;
  result.streams.ttl = options.mcp_stream_ttl;
  result.streams.retry = options.mcp_retry;
  return result;
}

ObserverOptions observer_options(const ServeOptions& options) {
  ObserverOptions result;
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

SupervisorOptions supervisor_options(const ServeOptions& options) {
  SupervisorOptions result{
      .agents = merge_agents(known_agents(), options.agents),
      .default_agent = options.default_agent,
      .projects = options.projects,
      .workspaces = std::filesystem::absolute(options.data_dir) / "workspaces",
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
                 .rest_after = options.stop_idle_after},
      .observer = observer_options(options),
      .import = {.days = options.import_days,
                 .max_imported = options.max_imported,
                 .projects = options.projects},
      .uploads = {.directory = std::filesystem::absolute(options.data_dir) / "uploads",
                  .max_file_bytes = options.max_upload_bytes,
                  .max_files = options.max_upload_files,
                  .max_total_bytes = options.max_uploads_total,
                  .types = options.upload_types}};
  if (result.default_agent.empty())
    result.default_agent = options.agents.empty() ? "demo" : options.agents.front().name;
  const auto is_it = [&](const AgentSpec& spec) { return spec.name == result.default_agent; };
  if (std::none_of(result.agents.begin(), result.agents.end(), is_it))
    throw UsageError("--default-agent: unknown agent '" + result.default_agent + "'; add [agents." +
                     result.default_agent + "] to oriel.toml");
  return result;
}

asio::ip::tcp::endpoint listen_endpoint(const ServeOptions& options, const TokenStore& tokens) {
  const auto address = asio::ip::make_address(options.listen_host);
  if (!address.is_loopback() && tokens.empty()) {
    throw UsageError(
        "--listen " + options.listen_host +
        ": anyone who reaches this address could run and watch your agents; create a token"
        " first with 'oriel token create NAME', or listen on 127.0.0.1");
  }
  return {address, options.listen_port};
}

http::ServerOptions server_options(const ServeOptions& options,
                                   const asio::ip::tcp::endpoint& listen) {
  return {.listen = listen,
          .tls_cert = options.tls_cert,
          .tls_key = options.tls_key,
          .max_connections = options.max_connections,
          .limits = {.request = {.max_header_bytes = options.max_header_bytes,
                                 .max_body_bytes = options.max_body_bytes},
                     .header_timeout = options.header_timeout,
                     .body_timeout = options.body_timeout,
                     .write_timeout = options.write_timeout,
                     .idle_timeout = options.idle_timeout},
          .unacknowledged_limit = 2 * options.stall_timeout};
}

asio::awaitable<void> exit_at_next_signal(StopSignals& signals) {
  const int signal = co_await signals.next();
  log()->warn("{} again: exiting at once", strsignal(signal));
  _exit(128 + signal);
}

}  // namespace

Server::Server(const ServeOptions& options)
    : options_(options),
      shards_(options.threads),
      signals_(shards_[0].executor()),
      tokens_(make_data_dir(options.data_dir) / "tokens.json"),
      listen_(listen_endpoint(options, tokens_)),
      journal_(make_engine(options), {}),
      supervisor_(shards_, journal_, supervisor_options(options)),
      hub_(shards_, journal_, {}),
      feed_(shards_, journal_, hub_, tokens_, feed_options(options)),
      publish_(journal_),
      sessions_(supervisor_),
      hooks_(supervisor_),
      turns_(supervisor_),
      import_(supervisor_.importer()),
      new_turns_(supervisor_, {.max_text_bytes = options.max_body_bytes}),
      files_(supervisor_),
      reader_(journal_, hub_, supervisor_),
      session_events_(reader_),
      mcp_(shards_, supervisor_, journal_, hub_, reader_, mcp_options(options), ORIEL_VERSION),
      access_(tokens_, options.public_url, listen_.address().is_loopback()),
      http_(shards_, router_, access_, server_options(options, listen_)),
      status_({.journal = journal_, .hub = hub_, .feed = feed_, .mcp = mcp_, .server = http_},
              ORIEL_VERSION),
      tasks_(shards_[0].executor()) {
  feed_.add_routes(router_);
  publish_.add_routes(router_);
  sessions_.add_routes(router_);
  hooks_.add_routes(router_);
  turns_.add_routes(router_);
  import_.add_routes(router_);
  new_turns_.add_routes(router_);
  files_.add_routes(router_);
  session_events_.add_routes(router_);
  mcp_.add_routes(router_);
  page_.add_routes(router_);
  status_.add_routes(router_);
}

std::string Server::url() const {
  const std::string scheme = options_.tls_cert.empty() ? "http://" : "https://";
  return scheme + http::to_string(http_.endpoint());
}

void Server::run() {
  journal_.start();
  tasks_.spawn("serve", serve_until_signal());
  tasks_.spawn("tokens", watch_tokens());
  shards_.start();
  shards_.wait();
}

asio::awaitable<void> Server::serve_until_signal() {
  feed_.start();
  mcp_.start();
  co_await supervisor_.start();
  http_.start();
  const int signal = co_await signals_.next();
  log()->info("{}: stopping", strsignal(signal));

  TaskGroup second_signal(shards_[0].executor());
  second_signal.spawn("second signal", exit_at_next_signal(signals_));
  TaskGroup agents(shards_[0].executor());
  agents.spawn("stop agents", supervisor_.stop());
  co_await http_.stop(options_.shutdown_timeout / 5);
  co_await agents.joined();
  co_await mcp_.stop(options_.shutdown_timeout / 5);
  co_await feed_.stop(options_.shutdown_timeout * 2 / 5);
  second_signal.cancel();
  co_await second_signal.joined();
  // Not on a shard: the journal may wait for one while it announces its last records.
  auto stop_journal = [this] { journal_.stop(); };
  co_await blocking_.run(stop_journal);
  log()->info("stopped");
  tasks_.cancel();
  shards_.release();
}

asio::awaitable<void> Server::watch_tokens() {
  asio::steady_timer timer(shards_[0].executor());
  while (true) {
    timer.expires_after(kTokenReload);
    co_await timer.async_wait(asio::use_awaitable);
    auto reload = [this] { return tokens_.reload(); };
    try {
      const bool has_changed = co_await blocking_.run(reload);
      if (has_changed) log()->info("tokens: {} loaded", tokens_.list().size());
    } catch (const std::runtime_error& failure) {
      log()->error("tokens: {}; keeping the previous ones", failure.what());
    }
  }
}

}  // namespace oriel
