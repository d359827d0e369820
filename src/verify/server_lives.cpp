#include "verify/server_lives.h"

#include "base/failpoint.h"

#include <boost/json/object.hpp>
#include <spdlog/fmt/fmt.h>

#include <csignal>
#include <utility>

namespace oriel {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kKillLimit{30'000};  // for the kernel to end a killed process
constexpr milliseconds kStartFailureTime{5000};

bool is_crash(const Life& life, const ExitStatus& exit) {
  return life.end == LifeEnd::kCrash && exit == ExitStatus{.code = kFailpointExit, .signal = 0};
}

std::string_view name_of(LifeEnd end) {
  if (end == LifeEnd::kKill) return "kill";
  return end == LifeEnd::kStop ? "stop" : "crash";
}

}  // namespace

ServerLives::ServerLives(asio::any_io_executor shard, LivesOptions options, FaultyProxy& proxy,
                         FaultLog& log)
    : shard_(shard),
      options_(std::move(options)),
      proxy_(proxy),
      log_(log),
      server_(shard, options_.server) {}

asio::awaitable<void> ServerLives::live(Life life) {
  note("start", life);
  auto beginning = begin(failpoint_setting(life));
  const bool is_ready = co_await std::move(beginning);
  auto waiting = server_.wait_exit(is_ready ? life.after : kStartFailureTime);
  const std::optional<ExitStatus> exit = co_await std::move(waiting);
  if (exit) {
    end_by_itself(life, *exit);
  } else if (life.end == LifeEnd::kKill || !is_ready) {
    auto killing = kill();
    co_await std::move(killing);
    ++counts_.killed;
  } else {
    auto terminating = terminate();
    const ExitStatus end = co_await std::move(terminating);
    if (is_crash(life, end)) {
      ends_.pop_back();
      end_by_itself(life, end);
    } else if (life.end == LifeEnd::kCrash) {
      counts_.not_reached.push_back(life.failpoint);
    }
  }
  proxy_.set_target(0);
  peaks_.push_back(server_.peak_memory());
  note("end", life);
}

void ServerLives::end_by_itself(const Life& life, const ExitStatus& exit) {
  if (is_crash(life, exit)) {
    counts_.crashed_at.push_back(life.failpoint);
  } else {
    ends_.push_back({.was_stopped = false, .exit = describe(exit), .left = {}});
  }
}

asio::awaitable<bool> ServerLives::begin(std::string failpoint) {
  ++counts_.started;
  const bool has_both = !failpoint.empty() && !options_.mutants.empty();
  std::string setting = failpoint + (has_both ? "," : "") + options_.mutants;
  auto starting = server_.start(std::move(setting));
  const Result<void> started = co_await std::move(starting);
  if (started) {
    proxy_.set_target(server_.port());
  } else if (failpoint.empty()) {
    is_hopeless_ = true;
    ends_.push_back({.was_stopped = false, .exit = started.error().message, .left = {}});
  }
  co_return started.has_value();
}

asio::awaitable<ExitStatus> ServerLives::kill() {
  server_.signal(SIGKILL);
  auto waiting = server_.wait_exit(kKillLimit);
  const std::optional<ExitStatus> exit = co_await std::move(waiting);
  processes_left();  // reaps those that have died with it
  co_return exit.value_or(ExitStatus{});
}

asio::awaitable<ExitStatus> ServerLives::terminate() {
  const auto begin = std::chrono::steady_clock::now();
  server_.signal(SIGTERM);
  auto waiting = server_.wait_exit(kStopLimit);
  std::optional<ExitStatus> exit = co_await std::move(waiting);
  ServerEnd end{.was_stopped = true, .exit = "no exit", .left = {}};
  end.duration = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin);
  if (exit) {
    ++counts_.stopped;
    end.exit = describe(*exit);
    end.is_success = *exit == ExitStatus{};
    end.left = processes_left();
  } else {
    auto killing = kill();
    exit = co_await std::move(killing);
  }
  ends_.push_back(std::move(end));
  co_return *exit;
}

asio::awaitable<bool> ServerLives::start() {
  note("start", {.end = LifeEnd::kStop});
  return begin({});
}

asio::awaitable<void> ServerLives::stop() {
  if (!server_.is_running()) co_return;
  auto terminating = terminate();
  co_await std::move(terminating);
  proxy_.set_target(0);
  peaks_.push_back(server_.peak_memory());
  note("end", {.end = LifeEnd::kStop});
}

void ServerLives::note(std::string_view what, const Life& life) {
  boost::json::object line{{"life", counts_.started + (what == "start" ? 1 : 0)},
                           {"event", what},
                           {"by", name_of(life.end)}};
  if (what == "start") line["after_ms"] = life.after.count();
  if (!life.failpoint.empty()) line["failpoint"] = failpoint_setting(life);
  log_.note(line);
}

std::string failpoint_setting(const Life& life) {
  return life.failpoint.empty() ? "" : fmt::format("{}:{}", life.failpoint, life.hit);
}

}  // namespace oriel
