#include "verify/verify_run.h"

#include "base/failpoint.h"
#include "base/id.h"
#include "base/text/json_access.h"
#include "base/text/text_hash.h"
#include "client/session_api.h"
#include "posix/run_program.h"
#include "verify/client_verdicts.h"
#include "verify/cluster/cluster_run.h"
#include "verify/gap_stage.h"
#include "verify/verify_clients.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace oriel {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kTokenTime{30'000};

// The address of a server on this machine. A name stands for 127.0.0.1.
asio::ip::address address_of(const http::Url& url) {
  boost::system::error_code is_name;
  const auto address = asio::ip::make_address(url.host, is_name);
  return is_name ? asio::ip::address_v4::loopback() : address;
}

class VerifyRun {
 public:
  VerifyRun(asio::any_io_executor shard, const VerifyOptions& options,
            const std::function<void(const std::string&)>& progress)
      : shard_(shard),
        options_(options),
        progress_(progress),
        log_(options.log),
        proxy_(shard, options.seed, log_) {
    report_.seed = options.seed;
    report_.failpoints = failpoint_names().size();
  }

  asio::awaitable<Result<VerifyReport>> run() {
    proxy_.start();
    Result<void> outcome;
    if (options_.server) {
      outcome = co_await verify_remote();
    } else if (options_.nodes > 0) {
      auto verifying = verify_cluster(shard_, options_, proxy_, log_, progress_, report_);
      outcome = co_await std::move(verifying);
      std::erase_if(report_.verdicts, [this](const Verdict& each) { return !wants(each.promise); });
    } else {
      if (wants(Promise::kGapsAnnounced)) co_await verify_gaps();
      if (options_.only != std::vector{Promise::kGapsAnnounced}) co_await verify_started();
    }
    co_await proxy_.stop();
    report_.proxy = proxy_.counts();
    if (!outcome) co_return outcome.error();
    co_return std::move(report_);
  }

 private:
  bool wants(Promise promise) const {
    return options_.only.empty() ||
           std::find(options_.only.begin(), options_.only.end(), promise) != options_.only.end();
  }

  void add(Verdict verdict) {
    if (wants(verdict.promise)) report_.verdicts.push_back(std::move(verdict));
  }

  ClientsOptions clients_options() const {
    ServerAccess proxied{.url = loopback_url(proxy_.port()), .token = {}};
    if (options_.server) proxied.token = options_.server->token;
    return {.proxied = std::move(proxied), .name = "verify-" + random_id(), .seed = options_.seed};
  }

  LivesOptions lives_options(const std::string& data) const {
    return {.server = {.program = options_.program,
                       .directory = options_.directory,
                       .flags = server_flags(options_.directory / "oriel.toml",
                                             options_.directory / data)},
            .mutants = options_.mutants};
  }

  // Events are removed fast, and nothing else happens.
  asio::awaitable<void> verify_gaps() {
    progress_("removing events while watchers are away");
    LivesOptions options = lives_options("gaps");
    options.server.flags.insert(options.server.flags.end(), std::begin(kGapStoreFlags),
                                std::end(kGapStoreFlags));
    FaultLog no_log{std::filesystem::path()};
    ServerLives lives(shard_, std::move(options), proxy_, no_log);
    auto starting = lives.start();
    const bool is_ready = co_await std::move(starting);
    if (!is_ready) {
      add({.promise = Promise::kGapsAnnounced,
           .summary = lives.ends().front().exit,
           .examples = {}});
      co_return;
    }
    ServerAccess direct{.url = loopback_url(lives.port()), .token = {}};
    auto proving = prove_gaps(std::move(direct));
    Verdict verdict = co_await std::move(proving);
    add(std::move(verdict));
    co_await lives.stop();
  }

  // The server writes down when a token was used. Empty if there is none.
  asio::awaitable<std::string> create_token() {
    ProcessSpec command{.argv = {options_.program.string(), "token", "create", "verify", "--config",
                                 (options_.directory / "oriel.toml").string(), "--data-dir",
                                 (options_.directory / "data").string()},
                        .environment = own_environment(),
                        .directory = options_.directory};
    auto running = run_program(std::move(command), kTokenTime);
    const Result<std::string> secret = co_await std::move(running);
    co_return secret ? std::string(trimmed(*secret)) : std::string();
  }

  // Under all faults.
  asio::awaitable<void> verify_started() {
    ServerLives lives(shard_, lives_options("data"), proxy_, log_);
    // Random kills find a mutant soonest.
    const bool crashes = options_.mutants.empty();
    FaultSchedule schedule(options_.seed, crashes ? failpoint_names() : std::vector<std::string>());
    ClientsOptions client_options = clients_options();
    auto creating = create_token();
    client_options.publisher_token = co_await std::move(creating);
    VerifyClients clients(shard_, std::move(client_options));
    clients.start();
    const auto until = Clock::now() + options_.duration;
    while (!lives.is_hopeless() && (schedule.has_failpoints() || Clock::now() < until)) {
      const Life life = schedule.next();
      progress_(fmt::format("start {}: {}", lives.counts().started + 1,
                            life.failpoint.empty() ? "until it is killed or stopped"
                                                   : "until " + failpoint_setting(life)));
      co_await lives.live(life);
    }
    proxy_.calm_down();
    bool is_ready = false;
    if (!lives.is_hopeless()) {
      auto starting = lives.start();
      is_ready = co_await std::move(starting);
    }
    if (is_ready) {
      ServerAccess direct{.url = loopback_url(lives.port()), .token = {}};
      co_await judge(clients, std::move(direct));
    } else {
      co_await clients.quiet();
      co_await clients.end();
    }
    co_await lives.stop();
    add(judge_memory(lives.peaks(), options_.memory_limit));
    add(judge_stops(lives.ends(), ServerLives::kStopLimit));
    report_.lives = lives.counts();
  }

  // Through the proxy alone: it is not ours to kill.
  asio::awaitable<Result<void>> verify_remote() {
    const ServerAccess& server = *options_.server;
    auto fetching = fetch(make_request(server, "GET", "/health"), kVerifyDeadlines);
    auto response = co_await std::move(fetching);
    const auto health = api_result(server, std::move(response));
    if (!health) co_return health.error();
    ClientsOptions options = clients_options();
    options.start = fmt::format("{}-{}", number_of(member(*health, "journal", "head")).value_or(0),
                                text_at(*health, "journal", "epoch"));
    start_ = options.start;
    options.sessions = 0;
    proxy_.set_target(server.url.port, address_of(server.url));
    VerifyClients clients(shard_, std::move(options));
    clients.start();
    progress_("publishing and watching through a faulty proxy");
    asio::steady_timer timer(shard_, options_.duration);
    co_await timer.async_wait(asio::use_awaitable);
    proxy_.calm_down();
    co_await judge(clients, server);
    co_return Result<void>();
  }

  // Lets the clients come to an end, and compares what they have seen with the journal.
  asio::awaitable<void> judge(VerifyClients& clients, ServerAccess direct) {
    progress_("waiting for the watchers, and reading the journal");
    auto judging = judge_clients(clients, std::move(direct), start_);
    ClientVerdicts judged = co_await std::move(judging);
    for (Verdict& verdict : judged.verdicts)
      add(std::move(verdict));
  }

  asio::any_io_executor shard_;
  const VerifyOptions& options_;
  const std::function<void(const std::string&)>& progress_;
  FaultLog log_;
  FaultyProxy proxy_;
  std::string start_ = "0";
  VerifyReport report_;
};

}  // namespace

bool VerifyReport::is_kept() const {
  return !verdicts.empty() && std::all_of(verdicts.begin(), verdicts.end(),
                                          [](const Verdict& each) { return each.is_kept(); });
}

Result<VerifyReport> verify(const VerifyOptions& options,
                            const std::function<void(const std::string&)>& progress) {
  if (!options.server) {
    const auto written = write_server_config(options.directory / "oriel.toml", options.program);
    if (!written) return written.error();
  }
  asio::io_context io(1);
  VerifyRun run(io.get_executor(), options, progress);
  auto report = asio::co_spawn(io, run.run(), asio::use_future);
  io.run();
  return report.get();
}

}  // namespace oriel
