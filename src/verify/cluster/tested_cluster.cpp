#include "verify/cluster/tested_cluster.h"

#include "client/http_client.h"
#include "verify/feed_reader.h"
#include "verify/server_lives.h"

#include <boost/json/object.hpp>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <system_error>
#include <utility>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr const char* kNodeTimeout = "3s";
constexpr milliseconds kHealTime{120'000};
constexpr milliseconds kKillTime{30'000};
constexpr milliseconds kLeftTime{3000};  // for agents of a killed node to be ended by its guard
constexpr milliseconds kLook{1};

fs::path make_directory(const fs::path& directory) {
  fs::create_directories(directory);
  return directory;
}

// The journal and what belongs to it, but not the workspaces.
void remove_journal(const fs::path& data) {
  std::error_code ignored;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(data, ignored)) {
    if (entry.path().filename().string().starts_with("journal")) files.push_back(entry.path());
  }
  for (const fs::path& file : files)
    fs::remove_all(file, ignored);
}

}  // namespace

TestedCluster::TestedCluster(asio::any_io_executor shard, TestedClusterOptions options,
                             FaultyProxy& proxy, FaultLog& log)
    : shard_(shard),
      options_(std::move(options)),
      proxy_(proxy),
      log_(log),
      nats_(shard, make_directory(options_.directory / "nats")) {
  for (std::size_t i = 0; i < options_.nodes; ++i) {
    const std::string name = name_of_node(i);
    const fs::path directory = make_directory(options_.directory / name);
    TestedServerOptions server{
        .program = options_.program,
        .directory = directory,
        .flags = server_flags(options_.directory / "oriel.toml", directory / "data")};
    for (const std::string& flag : {std::string("--cluster"), nats_.url(), std::string("--node"),
                                    name, std::string("--node-timeout"), std::string(kNodeTimeout)})
      server.flags.push_back(flag);
    Node& node = nodes_.emplace_back(shard, std::move(server));
    node.name = name;
    node.data = directory / "data";
  }
}

std::string TestedCluster::name_of_node(std::size_t node) const {
  return fmt::format("n{}", node + 1);
}

asio::awaitable<Result<void>> TestedCluster::start() {
  auto starting = nats_.start();
  const Result<void> nats = co_await std::move(starting);
  if (!nats) co_return nats.error();
  for (Node& node : nodes_) {
    auto beginning = begin(node);
    const Result<void> begun = co_await std::move(beginning);
    if (!begun) co_return begun.error();
  }
  co_return co_await heal();
}

asio::awaitable<Result<void>> TestedCluster::begin(Node& node) {
  ++starts_;
  auto starting = node.server.start(options_.mutants);
  const Result<void> started = co_await std::move(starting);
  aim_proxy();
  if (!started) {
    Error error = started.error();
    error.message = "node " + node.name + ": " + error.message;
    co_return error;
  }
  co_return Result<void>();
}

asio::awaitable<Result<void>> TestedCluster::suffer(ClusterFault fault) {
  co_await rest(fault.before);
  Node& node = *std::next(nodes_.begin(), static_cast<std::ptrdiff_t>(fault.node));
  boost::json::object line{{"cluster_fault", oriel::name_of(fault.kind)},
                           {"away_ms", fault.away.count()}};
  if (is_of_node(fault.kind)) line["node"] = node.name;
  log_.note(line);
  ++counts_[static_cast<std::size_t>(fault.kind)];
  Result<void> undone;
  switch (fault.kind) {
    case ClusterFaultKind::kKillNode:
    case ClusterFaultKind::kLoseJournal:
    case ClusterFaultKind::kStopNode: {
      if (fault.kind == ClusterFaultKind::kStopNode)
        co_await terminate(node);
      else
        co_await kill(node);
      if (fault.kind == ClusterFaultKind::kLoseJournal) remove_journal(node.data);
      co_await rest(fault.away);
      auto beginning = begin(node);
      undone = co_await std::move(beginning);
      break;
    }
    case ClusterFaultKind::kFreezeNode:
      node.server.signal(SIGSTOP);
      co_await rest(fault.away);
      node.server.signal(SIGCONT);
      break;
    case ClusterFaultKind::kKillNats: {
      co_await nats_.kill();
      co_await rest(fault.away);
      auto starting = nats_.start();
      undone = co_await std::move(starting);
      break;
    }
    case ClusterFaultKind::kFreezeNats:
      nats_.freeze();
      co_await rest(fault.away);
      nats_.thaw();
      break;
  }
  if (!undone) co_return undone.error();
  co_return co_await heal();
}

// Waits until every node is ready. One that has ended by itself is started again.
asio::awaitable<Result<void>> TestedCluster::heal() {
  const auto until = Clock::now() + kHealTime;
  for (Node& node : nodes_) {
    bool is_ready = false;
    while (!is_ready) {
      auto restarting = restart_if_ended(node);
      const Result<void> runs = co_await std::move(restarting);
      if (!runs) co_return runs.error();
      const ServerAccess access{.url = loopback_url(node.server.port()), .token = {}};
      auto fetching = fetch(make_request(access, "GET", "/ready"), kVerifyDeadlines);
      const auto response = co_await std::move(fetching);
      is_ready = response && response->status == 200;
      if (!is_ready && Clock::now() > until) {
        co_return Error{.kind = ErrorKind::kCannotStart,
                        .message = fmt::format("node {} is not ready: {}", node.name,
                                               response ? response->body : "no response"),
                        .hint = "run again with --dir DIR, where it writes its log"};
      }
      if (!is_ready) co_await pause_client();
    }
  }
  co_return Result<void>();
}

asio::awaitable<Result<void>> TestedCluster::restart_if_ended(Node& node) {
  auto looking = node.server.wait_exit(kLook);
  const auto exit = co_await std::move(looking);
  if (!exit) co_return Result<void>();
  peaks_.push_back(node.server.peak_memory());
  ends_.push_back({.was_stopped = false, .exit = describe(*exit), .left = {}});
  log_.note({{"node", node.name}, {"ended_by_itself", describe(*exit)}});
  co_return co_await begin(node);
}

asio::awaitable<void> TestedCluster::kill(Node& node) {
  node.server.signal(SIGKILL);
  auto waiting = node.server.wait_exit(kKillTime);
  co_await std::move(waiting);
  peaks_.push_back(node.server.peak_memory());
  aim_proxy();
  const auto until = Clock::now() + kLeftTime;
  while (!processes_left(running()).empty() && Clock::now() < until)
    co_await pause_client();
}

asio::awaitable<void> TestedCluster::terminate(Node& node) {
  const auto begun = Clock::now();
  node.server.signal(SIGTERM);
  auto waiting = node.server.wait_exit(ServerLives::kStopLimit);
  const std::optional<ExitStatus> exit = co_await std::move(waiting);
  ServerEnd end{.was_stopped = true, .exit = "no exit", .left = {}};
  end.duration = std::chrono::duration_cast<milliseconds>(Clock::now() - begun);
  if (exit) {
    end.exit = describe(*exit);
    end.is_success = *exit == ExitStatus{};
    end.left = processes_left(running());
    peaks_.push_back(node.server.peak_memory());
    aim_proxy();
  } else {
    co_await kill(node);
  }
  ends_.push_back(std::move(end));
}

asio::awaitable<void> TestedCluster::stop() {
  for (Node& node : nodes_) {
    if (node.server.is_running()) co_await terminate(node);
  }
  co_await nats_.kill();
}

asio::awaitable<void> TestedCluster::rest(milliseconds duration) {
  asio::steady_timer timer(shard_, duration);
  co_await timer.async_wait(asio::use_awaitable);
}

std::vector<pid_t> TestedCluster::running() const {
  std::vector<pid_t> pids;
  if (nats_.is_running()) pids.push_back(nats_.pid());
  for (const Node& node : nodes_)
    if (node.server.is_running()) pids.push_back(node.server.pid());
  return pids;
}

void TestedCluster::aim_proxy() {
  std::vector<std::uint16_t> ports;
  for (const Node& node : nodes_)
    if (node.server.is_running() && node.server.port() != 0) ports.push_back(node.server.port());
  proxy_.set_targets(ports);
}

std::vector<ServerAccess> TestedCluster::nodes() const {
  std::vector<ServerAccess> accesses;
  for (const Node& node : nodes_)
    accesses.push_back({.url = loopback_url(node.server.port()), .token = {}});
  return accesses;
}

}  // namespace oriel
