#include "verify/verify_run.h"

#include "base/failpoint.h"
#include "base/id.h"
#include "base/text/json_access.h"
#include "base/text/json_text.h"
#include "base/text/text_hash.h"
#include "client/session_api.h"
#include "posix/atomic_file.h"
#include "posix/run_program.h"
#include "verify/gap_stage.h"
#include "verify/verify_clients.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/json/value.hpp>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace oriel {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kCatchUpTime{60'000};
constexpr milliseconds kPushTime{30'000};  // for MCP to push what the journal has
constexpr milliseconds kTokenTime{30'000};
constexpr unsigned kMarkerPublisher = 0;

http::Url loopback_url(std::uint16_t port) {
  return {.is_tls = false, .host = "127.0.0.1", .port = port, .path = {}};
}

// The address of a server on this machine. A name stands for 127.0.0.1.
asio::ip::address address_of(const http::Url& url) {
  boost::system::error_code is_name;
  const auto address = asio::ip::make_address(url.host, is_name);
  return is_name ? asio::ip::address_v4::loopback() : address;
}

// Its agents keep their conversations below `directory`, too.
Result<void> write_config(const VerifyOptions& options) {
  const auto quoted = [](const std::filesystem::path& path) {
    return json_text(boost::json::value(path.string()));
  };
  const auto agent = options.program.parent_path() / "oriel-demo-agent";
  return replace_file(options.directory / "oriel.toml",
                      fmt::format("[agents.demo]\ncommand = [{}, \"--pace\", \"0\"]\nhome = {}\n"
                                  "permissions = \"allow\"\n",
                                  quoted(agent), quoted(options.directory)),
                      {});
}

std::vector<std::string> server_flags(const VerifyOptions& options, const std::string& data) {
  return {"--config",           options.directory / "oriel.toml",
          "--data-dir",         options.directory / data,
          "--socket",           "none",
          "--heartbeat",        "1s",
          "--shutdown-timeout", "10s"};
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
                       .flags = server_flags(options_, data)},
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
    options.has_sessions = false;
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
    co_await clients.quiet();
    auto marking = publish_marker(direct);
    const Sequence marker = co_await std::move(marking);
    co_await clients.caught_up(marker, kCatchUpTime);
    auto reading = read_journal(direct, marker);
    const std::vector<JournalEvent> journal = co_await std::move(reading);
    co_await clients.finish_sessions(journal, kPushTime);
    co_await clients.end();
    add(judge_loss(clients.ledger(), journal));
    add(judge_delivery(clients.watch_logs(marker), clients.push_logs(marker), journal));
    if (options_.server) co_return;
    add(judge_indexes(clients.polled(), journal));
    add(judge_tasks(clients.ledger(), clients.polled()));
  }

  // An event after all others.
  asio::awaitable<Sequence> publish_marker(ServerAccess direct) {
    Ledger ledger;
    EventPublisher publisher(std::move(direct), kMarkerPublisher, 0, ledger);
    std::optional<Sequence> sequence;
    const auto until = Clock::now() + kCatchUpTime;
    while (!sequence && Clock::now() < until) {
      auto publishing = publisher.publish(0);
      sequence = co_await std::move(publishing);
      if (!sequence) co_await pause_client();
    }
    co_return sequence.value_or(kMaxSequence);
  }

  asio::awaitable<std::vector<JournalEvent>> read_journal(ServerAccess direct, Sequence until) {
    std::vector<JournalEvent> journal;
    const auto on_event = [&journal, until](const SseEvent& event) {
      auto stored = read_journal_event(event);
      if (stored && stored->sequence <= until) journal.push_back(std::move(*stored));
    };
    FeedReader reader(std::move(direct), start_, on_event);
    TaskGroup tasks(shard_);
    tasks.spawn("journal", reader.run());
    const auto deadline = Clock::now() + kCatchUpTime;
    while (Clock::now() < deadline && (journal.empty() || journal.back().sequence < until))
      co_await pause_client();
    reader.stop();
    co_await tasks.joined();
    co_return journal;
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
    const auto written = write_config(options);
    if (!written) return written.error();
  }
  asio::io_context io(1);
  VerifyRun run(io.get_executor(), options, progress);
  auto report = asio::co_spawn(io, run.run(), asio::use_future);
  io.run();
  return report.get();
}

}  // namespace oriel
