#include "server/server.h"

#include "agent/agent_secrets.h"
#include "agent/known_agents.h"
#include "api/refused_request.h"
#include "api/token_audit.h"
#include "base/log.h"
#include "journal/memory_engine.h"
#include "journal/sqlite_engine.h"
#include "runtime/deadline.h"
#include "runtime/ip_address.h"
#include "runtime/keep_running.h"
#include "server/agent_config.h"
#include "server/data_dir.h"
#include "server/load_options.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <csignal>
#include <functional>
#include <unistd.h>

namespace oriel {
namespace {

// With the tick of open streams, at most 1 s, a revocation takes effect within 2 s.
constexpr std::chrono::milliseconds kWatchEvery{500};
constexpr std::size_t kReservedDescriptors = 8;

std::filesystem::path make_data_dir(const std::filesystem::path& dir) {
  const auto prepared = prepare_data_dir(dir);
  if (!prepared)
    throw UsageError("--data-dir: " + prepared.error().message + "; " + prepared.error().hint);
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

// Memory needs no disk.
std::uint64_t reserve_bytes(const ServeOptions& options) {
  return options.store == StoreKind::kMemory ? 0 : options.reserve_bytes;
}

ClientLimits client_limits(const ServeOptions& options) {
  const std::uint64_t half = std::max<std::uint64_t>(options.max_sse_clients / 2, 1);
  const std::uint64_t own = options.max_sse_clients_per_principal;
  return {.all = options.max_sse_clients, .per_principal = own == 0 ? half : own};
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
  return result;
}

// Agents that people run usually share their environment with Oriel.
std::shared_ptr<const Redactor> observed_redactor(const ServeOptions& options) {
  return std::make_shared<const Redactor>(secrets_in(own_environment()), options.secret_patterns);
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

// Without links: agents start only in real paths.
std::filesystem::path real_data_dir(const ServeOptions& options) {
  std::error_code ec;
  const std::filesystem::path absolute = std::filesystem::absolute(options.data_dir);
  const auto real = std::filesystem::weakly_canonical(absolute, ec);
  return ec ? absolute : real;
}

SupervisorOptions supervisor_options(const ServeOptions& options, SessionTokens& tokens) {
  check_listener(options);
  SupervisorOptions result{
      .agents = merge_agents(known_agents(), options.agents),
      .default_agent = options.default_agent,
      .projects = options.projects,
      .retain_workspaces = options.retain_workspaces,
      .sandbox = {.hidden = secret_directories(options),
                  .hidden_files = secret_files(options),
                  .homes = real_data_dir(options) / "homes",
                  .workspaces = real_data_dir(options) / "workspaces"},
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
  const bool has_token = tokens.has_valid_token(wall_now());
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

void log_unsaved(const Result<void>& saved) {
  if (!saved) log()->warn("the last uses of tokens cannot be stored: {}", saved.error().message);
}

asio::awaitable<void> exit_at_next_signal(Signals& signals) {
  const int signal = co_await signals.next();
  log()->warn("{} again: exiting at once", strsignal(signal));
  log()->flush();
  _exit(128 + signal);
}

}  // namespace

Server::Server(const ServeOptions& options)
    : options_(options),
      shards_(options.threads),
      reserved_(kReservedDescriptors),
      stop_(shards_[0].executor(), {SIGINT, SIGTERM}),
      hangup_(shards_[0].executor(), {SIGHUP}),
      tokens_(make_data_dir(options.data_dir) / "tokens.json"),
      token_uses_(options.data_dir / kTokenUseFile),
      login_links_({.ttl = LoginOptions().link_ttl}),
      tickets_({.ttl = LoginOptions().ticket_ttl}),
      listen_(listen_endpoint(options, tokens_)),
      reserve_(options.data_dir / "journal.reserve", reserve_bytes(options)),
      journal_(make_engine(options), {}),
      supervisor_(shards_, journal_, supervisor_options(options, tokens_.session_tokens())),
      audit_(journal_),
      visible_sessions_(supervisor_, audit_),
      hub_(shards_, journal_, {}),
      feed_(shards_, journal_, hub_, tokens_, feed_options(options)),
      publish_(journal_, visible_sessions_, observed_redactor(options)),
      sessions_(visible_sessions_),
      hooks_(supervisor_),
      turns_(visible_sessions_),
      import_(supervisor_.importer(), audit_),
      audit_endpoint_(journal_),
      new_turns_(visible_sessions_, {.max_text_bytes = options.max_body_bytes}),
      files_(visible_sessions_),
      reader_(journal_, hub_, visible_sessions_, {.is_valid = validity_of(tokens_)}),
      session_events_(reader_),
      mcp_(shards_, visible_sessions_, journal_, hub_, reader_, mcp_options(options, tokens_),
           ORIEL_VERSION),
      login_(tokens_, login_links_, tickets_, blocking_, audit_, auth_refusals_,
             {.public_url = options.public_url}),
      access_(tokens_, token_uses_, tickets_, auth_refusals_,
              auth_options(options,
                           [this](const http::Route& route, const http::Request& request) {
                             audit_refused(route, request);
                           }),
              getuid()),
      http_(shards_, router_, access_, server_options(options, listen_)),
      status_({.journal = journal_,
               .hub = hub_,
               .feed = feed_,
               .mcp = mcp_,
               .server = http_,
               .auth_refusals = auth_refusals_},
              ORIEL_VERSION),
      tasks_(shards_[0].executor()) {
  if (!reserve_.fill() && reserve_bytes(options) > 0)
    log()->warn("--reserve-bytes {}: the disk has no room for it yet", options.reserve_bytes);
  supervisor_.set_listener(http_.endpoint().port(), !options.tls_cert.empty());
  supervisor_.hide_socket(secret_socket(options));
  feed_.add_routes(router_);
  publish_.add_routes(router_);
  sessions_.add_routes(router_);
  hooks_.add_routes(router_);
  turns_.add_routes(router_);
  import_.add_routes(router_);
  audit_endpoint_.add_routes(router_);
  new_turns_.add_routes(router_);
  files_.add_routes(router_);
  session_events_.add_routes(router_);
  mcp_.add_routes(router_);
  page_.add_routes(router_);
  login_.add_routes(router_);
  status_.add_routes(router_);
}

std::string Server::url() const {
  const std::string scheme = options_.tls_cert.empty() ? "http://" : "https://";
  return scheme + http::to_string(http_.endpoint());
}

void Server::run(std::function<void()> on_ready) {
  journal_.start();
  tasks_.spawn("serve", serve(std::move(on_ready)));
  tasks_.spawn("watch files", keep_running("watch files", [this] { return watch_files(); }));
  tasks_.spawn("hangup", keep_running("hangup", [this] { return reload_at_hangup(); }));
  shards_.start();
  shards_.wait();
  if (start_failure_) std::rethrow_exception(start_failure_);
}

asio::awaitable<void> Server::serve(std::function<void()> on_ready) {
  auto starting = start();
  const Outcome<void> started = co_await outcome_of(std::move(starting));
  start_failure_ = started.failure;
  if (!start_failure_) {
    on_ready();
    const int signal = co_await stop_.next();
    log()->info("{}: stopping", strsignal(signal));
  }
  co_await stop();
}

asio::awaitable<void> Server::start() {
  feed_.start();
  mcp_.start();
  co_await supervisor_.start();
  http_.start();
}

asio::awaitable<void> Server::stop() {
  reserved_.release();
  TaskGroup second_signal(shards_[0].executor());
  second_signal.spawn("second signal", exit_at_next_signal(stop_));
  auto make_room = [this] { reserve_.release(); };
  co_await blocking_.run(make_room);
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
  auto save = [this] { log_unsaved(token_uses_.save(tokens_.list())); };
  co_await blocking_.run(save);
  log()->info("stopped");
  tasks_.cancel();
  shards_.release();
}

asio::awaitable<void> Server::watch_files() {
  asio::steady_timer timer(shards_[0].executor());
  while (true) {
    timer.expires_after(kWatchEvery);
    co_await timer.async_wait(asio::use_awaitable);
    auto reload = [this] {
      reload_files(http::TlsReload::kIfChanged);
      reserve_.fill();
      log_unsaved(token_uses_.save_if_due(tokens_.list(), std::chrono::steady_clock::now()));
    };
    co_await blocking_.run(reload);
  }
}

asio::awaitable<void> Server::reload_at_hangup() {
  while (true) {
    const int signal = co_await hangup_.next();
    log()->info("{}: reading tokens and certificates again", strsignal(signal));
    auto reload = [this] { reload_files(http::TlsReload::kAlways); };
    co_await blocking_.run(reload);
  }
}

// On any shard.
void Server::audit_refused(const http::Route& route, const http::Request& request) {
  auto audit = audit_of_refused(route, request);
  if (!audit) return;
  asio::post(shards_[0].executor(), [this, audit = *std::move(audit)] {
    tasks_.spawn("audit", audit_.record_missing_scope(audit, std::chrono::steady_clock::now()));
  });
}

// A file that cannot be read changes no token in the audit.
void Server::reload_tokens() {
  const std::vector<Token> known = tokens_.list();
  try {
    if (!tokens_.reload()) return;
  } catch (const std::runtime_error& failure) {
    log()->error("tokens: {}; no token is accepted until then", failure.what());
    if (!tokens_before_failure_) tokens_before_failure_ = known;
    return;
  }
  log()->info("tokens: {} loaded", tokens_.list().size());
  const std::vector<Token> before = tokens_before_failure_.value_or(known);
  tokens_before_failure_.reset();
  for (event::Audit& audit : audit_of_changes(before, tokens_.list())) {
    asio::post(shards_[0].executor(), [this, audit = std::move(audit)] {
      tasks_.spawn("audit", audit_.record(audit, ""));
    });
  }
}

void Server::reload_files(http::TlsReload when) {
  reload_tokens();
  try {
    if (http_.reload_tls(when))
      log()->info("TLS: {} loaded for new connections", options_.tls_cert);
  } catch (const std::runtime_error& failure) {
    log()->error("TLS: {}; keeping the previous certificate", failure.what());
  }
}

}  // namespace oriel
