#include "server/server.h"

#include "api/refused_request.h"
#include "api/rest/oauth_endpoint.h"
#include "base/log.h"
#include "journal/memory_engine.h"
#include "journal/sqlite/sqlite_engine.h"
#include "journal/sqlite/sqlite_schema.h"
#include "runtime/deadline.h"
#include "runtime/ip_address.h"
#include "runtime/keep_running.h"
#include "server/data_dir.h"
#include "server/load_options.h"
#include "server/module_options.h"
#include "server/stop_at_signal.h"
#include "server/usage_error.h"
#include "server/waiting_server.h"
#include "supervisor/cluster/owner_guard.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <unistd.h>
#include <utility>

namespace oriel {
namespace {

constexpr std::size_t kReservedDescriptors = 8;

// In a takeover: how long open connections may still send a request.
constexpr std::chrono::milliseconds kLastRequests{100};

// In a takeover: short, because a watcher that reconnects too early waits in the listener's queue.
constexpr std::chrono::milliseconds kRestartRetry{50};

// Between two looks whether this node has caught up.
constexpr std::chrono::milliseconds kLookForReadiness{20};
constexpr std::chrono::milliseconds kLookForRestart{1000};

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
  return open_sqlite_engine(sqlite_options(options));
}

std::unique_ptr<Cluster> make_cluster(const ServeOptions& options) {
  if (options.cluster.empty()) return nullptr;
  return std::make_unique<Cluster>(cluster_options(options, ORIEL_VERSION));
}

// In a cluster the journal may come from another node first, which clients are told meanwhile.
Journal make_journal(const ServeOptions& options, const asio::ip::tcp::endpoint& listen,
                     Cluster* cluster, http::Listeners& listeners) {
  const JournalOptions journal{.doubtful_percent_per_hour = options.retain_jump_percent};
  if (cluster == nullptr) return {make_engine(options), journal};
  const StopAtSignal signal;
  WaitingServer waiting(server_options(options, listen), std::move(listeners),
                        [cluster] { return cluster->why_not().value_or("almost ready"); });
  PreparedJournal prepared = cluster->prepare(sqlite_options(options), signal.token());
  listeners = waiting.finish();
  return {std::move(prepared.engine), journal, std::move(prepared.log)};
}

LoginOptions login_options(const ServeOptions& options, LinkCalls* links, TokenSharing* tokens) {
  LoginOptions result{.public_url = options.public_url};
  if (links == nullptr || tokens == nullptr) return result;
  result.redeem_elsewhere = [links](std::string code) { return links->redeem(std::move(code)); };
  result.share = [tokens] { return tokens->share(); };
  return result;
}

FeedEnd feed_end(const ServeOptions& options, bool hands_over) {
  if (!hands_over) return {.reason = "shutdown", .retry = options.retry};
  return {.reason = "restart", .retry = std::min(options.retry, kRestartRetry)};
}

void log_unsaved(const Result<void>& saved) {
  if (!saved) log()->warn("the last uses of tokens cannot be stored: {}", saved.error().message);
}

// A step of the shutdown. Its failure is logged.
asio::awaitable<void> finish(const char* what, asio::awaitable<void> step) {
  const Outcome<void> outcome = co_await outcome_of(std::move(step));
  if (!outcome.failure) co_return;
  try {
    std::rethrow_exception(outcome.failure);
  } catch (const std::exception& failure) {
    log()->error("shutdown of {}: {}", what, failure.what());
  }
}

asio::awaitable<void> until_ready(const Cluster& cluster) {
  asio::steady_timer timer(co_await asio::this_coro::executor);
  while (!cluster.is_ready()) {
    timer.expires_after(kLookForReadiness);
    co_await timer.async_wait(asio::use_awaitable);
  }
}

asio::awaitable<void> exit_at_next_signal(Signals& signals) {
  const int signal = co_await signals.next();
  log()->warn("{} again: exiting at once", strsignal(signal));
  log()->flush();
  _exit(128 + signal);
}

}  // namespace

Server::Server(const ServeOptions& options, const ServiceManager& service,
               http::Listeners listeners)
    : options_(options),
      service_(service),
      shards_(options.threads),
      reserved_(kReservedDescriptors),
      stop_(shards_[0].executor(), {SIGINT, SIGTERM}),
      hangup_(shards_[0].executor(), {SIGHUP}),
      tokens_(make_data_dir(options.data_dir) / "tokens.json"),
      token_uses_(options.data_dir / kTokenUseFile),
      login_links_({.ttl = LoginOptions().link_ttl}),
      tickets_({.ttl = LoginOptions().ticket_ttl}),
      listen_(listen_endpoint(options, tokens_.has_valid_token(wall_now()))),
      reserve_(options.data_dir / "journal.reserve", reserve_bytes(options)),
      cluster_(make_cluster(options)),
      journal_(make_journal(options, listen_, cluster_.get(), listeners)),
      token_sharing_(cluster_ ? std::make_unique<TokenSharing>(shards_[0].executor(), journal_,
                                                               blocking_, tokens_)
                              : nullptr),
      link_calls_(cluster_ ? std::make_unique<LinkCalls>(cluster_->peers(), login_links_)
                           : nullptr),
      search_index_(shards_[0].executor(), journal_, search_options(options)),
      supervisor_(shards_, journal_,
                  supervisor_options(options, tokens_.session_tokens(), cluster_.get()),
                  cluster_ ? &cluster_->peers() : nullptr),
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
      cluster_endpoint_(cluster_.get()),
      new_turns_(visible_sessions_, {.max_text_bytes = options.max_body_bytes}),
      files_(visible_sessions_),
      paths_(visible_sessions_, home_directory()),
      changes_(visible_sessions_),
      reader_(journal_, hub_, visible_sessions_, {.is_valid = validity_of(tokens_)}),
      session_events_(reader_),
      search_(visible_sessions_, search_index_),
      search_endpoint_(search_),
      mcp_(shards_, visible_sessions_, journal_, hub_, reader_, search_,
           mcp_options(options, tokens_), mcp_archive_options(options, cluster_.get()),
           ORIEL_VERSION, {.progress_interval = options.mcp_progress_interval}),
      login_(tokens_, login_links_, tickets_, blocking_, audit_, auth_refusals_,
             login_options(options, link_calls_.get(), token_sharing_.get())),
      access_(tokens_, token_uses_, tickets_, auth_refusals_,
              auth_options(options,
                           [this](const http::Route& route, const http::Request& request) {
                             audit_refused(route, request);
                           }),
              getuid()),
      gate_(access_, [this] { return cluster_->why_not().value_or("almost ready"); }),
      http_(shards_, router_, gate_, server_options(options, listen_), std::move(listeners)),
      status_({.journal = journal_,
               .search = search_index_,
               .hub = hub_,
               .feed = feed_,
               .mcp = mcp_,
               .server = http_,
               .auth_refusals = auth_refusals_},
              ORIEL_VERSION),
      tasks_(shards_[0].executor()),
      joining_(shards_[0].executor()),
      reloader_(
          shards_[0].executor(), blocking_, tokens_,
          {.tls = [this](http::TlsReload when) { return http_.reload_tls(when); },
           .certificate = options.tls_cert,
           .audit =
               [this](std::vector<event::Audit> entries) { audit_changes(std::move(entries)); }}) {
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
  cluster_endpoint_.add_routes(router_);
  new_turns_.add_routes(router_);
  files_.add_routes(router_);
  paths_.add_routes(router_);
  changes_.add_routes(router_);
  session_events_.add_routes(router_);
  search_endpoint_.add_routes(router_);
  mcp_.add_routes(router_);
  page_.add_routes(router_);
  login_.add_routes(router_);
  status_.add_routes(router_);
  add_oauth_routes(router_,
                   {.public_url = options.public_url, .is_tls = !options.tls_cert.empty()});
}

std::string Server::url() const {
  const std::string scheme = options_.tls_cert.empty() ? "http://" : "https://";
  return scheme + http::to_string(http_.endpoint());
}

std::optional<Handover> Server::run(std::function<void()> on_ready) {
  journal_.start();
  tasks_.spawn("serve", serve(std::move(on_ready)));
  tasks_.spawn("watch files", keep_running("watch files", [this] { return watch_files(); }));
  auto reload_at_hangup = [this] { return reloader_.reload_at(hangup_, service_); };
  tasks_.spawn("hangup", keep_running("hangup", std::move(reload_at_hangup)));
  shards_.start();
  shards_.wait();
  if (failure_) std::rethrow_exception(failure_);
  if (!successor_) return std::nullopt;
  return Handover{.successor = *std::move(successor_), .listeners = std::move(released_)};
}

asio::awaitable<void> Server::serve(std::function<void()> on_ready) {
  auto starting = start();
  const Outcome<void> started = co_await outcome_of(std::move(starting));
  failure_ = started.failure;
  if (!failure_) {
    on_ready();
    auto ending = end_of_service();
    successor_ = co_await std::move(ending);
  }
  co_await stop();
}

asio::awaitable<void> Server::start() {
  feed_.start();
  if (cluster_) {
    // Load balancers see meanwhile that the node is not ready.
    http_.start();
    cluster_->start(shards_[0].executor(), journal_);
    tasks_.spawn("watch cluster", watch_cluster());
    if (cluster_->is_detached()) co_return co_await start_detached();
    co_await join_cluster();
    co_await share_tokens();
  }
  co_await supervisor_.start();
  co_await mcp_.start();
  search_index_.start();
  gate_.open();
  if (!cluster_) http_.start();
  listen_for_takeovers();
}

asio::awaitable<void> Server::join_cluster() {
  using namespace asio::experimental::awaitable_operators;
  auto ready = outcome_of(until_ready(*cluster_));
  auto signalled = outcome_of(stop_.next());
  const auto first = co_await (std::move(ready) || std::move(signalled));
  if (first.index() == 1)
    throw std::runtime_error("stopped before this node was ready: " +
                             cluster_->why_not().value_or("almost"));
  co_await expect_owners();
}

// Nothing may work before the journal has what other nodes, and an earlier life of this one, have
// stored in the log.
asio::awaitable<void> Server::start_detached() {
  co_await supervisor_.load();
  co_await mcp_.start();
  search_index_.start();
  gate_.open_for_readers();
  joining_.spawn("join the cluster", join_later());
  listen_for_takeovers();
}

asio::awaitable<void> Server::join_later() {
  co_await until_ready(*cluster_);
  co_await expect_owners();
  co_await share_tokens();
  co_await supervisor_.start();
  gate_.open();
}

// Before clients with tokens are accepted: they may have been revoked while this node was away.
asio::awaitable<void> Server::share_tokens() {
  co_await token_sharing_->start();
  tasks_.spawn("tokens", keep_running("tokens", [this] { return token_sharing_->run(); }));
  const bool is_public = !options_.public_url.empty() || !is_loopback(listen_.address());
  if (is_public && !tokens_.has_valid_token(wall_now()))
    log()->warn("nobody beyond this machine has access without a token: oriel token create NAME");
}

// Those that do not run any more are lost.
asio::awaitable<void> Server::expect_owners() {
  auto reading = journal_.read_documents(std::string(kOwnerDocuments));
  const std::vector<Document> owners = co_await std::move(reading);
  for (const Document& owner : owners) {
    if (owner.value != owner_at_rest(node_of(owner.value))) cluster_->expect(owner.value);
  }
}

// A node that differs from the others takes the journal of one of them when it starts again.
asio::awaitable<void> Server::watch_cluster() {
  asio::steady_timer timer(shards_[0].executor());
  while (!cluster_->needs_restart()) {
    timer.expires_after(kLookForRestart);
    co_await timer.async_wait(asio::use_awaitable);
  }
  failure_ = std::make_exception_ptr(
      std::runtime_error(cluster_->why_not().value_or("this node") + "; start it again"));
  ::kill(::getpid(), SIGTERM);
}

// A failure is only logged: the server works, but cannot be replaced while it runs.
void Server::listen_for_takeovers() {
  const std::filesystem::path file = options_.data_dir / kTakeoverSocket;
  try {
    takeovers_ =
        std::make_unique<HandoverSocket>(shards_[0].executor(), file, [this] { return handout(); });
  } catch (const std::runtime_error& failure) {
    log()->warn("oriel serve --takeover will not find this server: {}: {}", file.string(),
                failure.what());
  }
}

Handout Server::handout() {
  const http::Server::ListenerNumbers numbers = http_.listener_numbers();
  const bool has_socket = numbers.unix_socket >= 0;
  Handout result{.offer = {.process = ::getpid(),
                           .version = ORIEL_VERSION,
                           .schema = options_.store == StoreKind::kMemory ? 0 : kSchemaVersion,
                           .stops_within = options_.shutdown_timeout,
                           .socket = {},
                           .owns_socket_file = numbers.owns_socket_file},
                 .listeners = {numbers.tcp}};
  if (has_socket) {
    result.offer.socket = std::filesystem::absolute(*options_.socket);
    result.listeners.push_back(numbers.unix_socket);
  }
  return result;
}

// Returns at the first signal, with nothing, or when a new process takes over.
asio::awaitable<std::optional<Successor>> Server::end_of_service() {
  using namespace asio::experimental::awaitable_operators;
  if (takeovers_) {
    auto signalled = outcome_of(stop_.next());
    auto taken_over = outcome_of(takeovers_->next());
    auto first = co_await (std::move(signalled) || std::move(taken_over));
    if (first.index() == 1) {
      Outcome<Successor> outcome = std::get<1>(std::move(first));
      if (outcome.result) co_return std::move(outcome.result);
    } else {
      log()->info("{}: stopping", strsignal(std::get<0>(first).result.value_or(0)));
      co_return std::nullopt;
    }
  }
  const int signal = co_await stop_.next();
  log()->info("{}: stopping", strsignal(signal));
  co_return std::nullopt;
}

// Keeps the listeners open, and lets connections send what is on its way.
asio::awaitable<void> Server::prepare_handover() {
  released_ = http_.release_listeners();
  co_await http_.serve_last_requests(kLastRequests);
}

// Every step runs whatever happens to those before it: without the last the process would not end.
asio::awaitable<void> Server::stop() {
  service_.stopping();
  joining_.cancel();
  co_await joining_.joined();
  reader_.end_waits();
  if (token_sharing_) token_sharing_->stop();
  takeovers_.reset();
  reserved_.release();
  TaskGroup second_signal(shards_[0].executor());
  second_signal.spawn("second signal", exit_at_next_signal(stop_));
  auto making_room = blocking_.run([this] { reserve_.release(); });
  co_await finish("the reserve of disk space", std::move(making_room));
  if (successor_) {
    auto preparing = prepare_handover();
    co_await finish("the listeners", std::move(preparing));
  }
  TaskGroup agents(shards_[0].executor());
  agents.spawn("stop agents", supervisor_.stop());
  auto stopping_http = http_.stop(options_.shutdown_timeout / 5);
  co_await finish("requests", std::move(stopping_http));
  co_await agents.joined();
  auto stopping_mcp = mcp_.stop(options_.shutdown_timeout / 5);
  co_await finish("MCP", std::move(stopping_mcp));
  auto stopping_feed =
      feed_.stop(options_.shutdown_timeout * 2 / 5, feed_end(options_, successor_.has_value()));
  co_await finish("streams", std::move(stopping_feed));
  second_signal.cancel();
  co_await second_signal.joined();
  if (cluster_) {
    auto leaving = cluster_->stop();
    co_await finish("the cluster", std::move(leaving));
  }
  auto stopping_search = search_index_.stop();
  co_await finish("the search index", std::move(stopping_search));
  // Not on a shard: the journal may wait for one while it announces its last records.
  auto stopping_journal = blocking_.run([this] { journal_.stop(); });
  co_await finish("the journal", std::move(stopping_journal));
  auto saving = blocking_.run([this] { log_unsaved(token_uses_.save(tokens_.list())); });
  co_await finish("the uses of tokens", std::move(saving));
  log()->info("stopped");
  tasks_.cancel();
  shards_.release();
}

asio::awaitable<void> Server::watch_files() {
  auto after = [this] {
    if (token_sharing_) token_sharing_->look();
    reserve_.fill();
    log_unsaved(token_uses_.save_if_due(tokens_.list(), std::chrono::steady_clock::now()));
  };
  return reloader_.watch(std::move(after));
}

// On any shard.
void Server::audit_refused(const http::Route& route, const http::Request& request) {
  auto audit = audit_of_refused(route, request);
  if (!audit) return;
  asio::post(shards_[0].executor(), [this, audit = *std::move(audit)] {
    tasks_.spawn("audit", audit_.record_missing_scope(audit, std::chrono::steady_clock::now()));
  });
}

// On any thread.
void Server::audit_changes(std::vector<event::Audit> entries) {
  for (event::Audit& entry : entries) {
    asio::post(shards_[0].executor(), [this, entry = std::move(entry)] {
      tasks_.spawn("audit", audit_.record(entry, ""));
    });
  }
}

}  // namespace oriel
