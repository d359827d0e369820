// Opens many SSE streams to one server, publishes events, and prints one line of tab-separated
// numbers: deliveries, latency, and the server's cost. One thread with epoll, so that it is cheaper
// than the servers it measures. The server is on 127.0.0.1.
//
//   fanout  LABEL  WATCHERS  RATE  events/s  deliveries/s  p50  p99  max (us)
//           server CPU us per delivery  server busy  generator busy (cores)
//           events per read  bytes per event  lost  duplicates  disorder  disconnected  rejected
//   idle    LABEL  WATCHERS  bytes per connection before its first event, after some events

#include "clock.h"
#include "print.h"
#include "publishers.h"
#include "server_usage.h"
#include "watchers.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <string>
#include <unistd.h>

namespace oriel {
namespace {

struct Options {
  std::string label = "server";
  std::uint16_t port = 0;
  std::string watch_path = "/api/events";
  std::string publish_path = "/api/events";
  std::uint32_t watchers = 1;
  std::uint32_t publishers = 16;
  double rate = 0;
  std::size_t event_bytes = 200;
  double warm_up_s = 1;
  double duration_s = 4;
  double drain_s = 5;
  pid_t server = 0;
  bool idle = false;
  bool hooks = false;
};

// A JSON object of exactly this size.
std::string event_body(std::size_t size) {
  const std::string head = R"({"type":"bench","data":")" + stamp_room();
  const std::string tail = R"("})";
  const std::size_t least = head.size() + tail.size();
  if (size < least)
    throw std::runtime_error("--event-bytes " + std::to_string(size) +
                             " is too small: use at least " + std::to_string(least));
  return head + std::string(size - least, '.') + tail;
}

// Hooks of an observed agent: a prompt and its answer, one turn each.
std::vector<Post> hooks_of(std::uint32_t agent) {
  const std::string who = R"({"session_id":"bench-)" + std::to_string(agent) + R"(","cwd":"/tmp",)";
  const std::string stamp = "\"" + stamp_room() + "\"}";
  return {{.path = "/api/hooks/user-prompt-submit", .body = who + R"("prompt":)" + stamp},
          {.path = "/api/hooks/stop", .body = who + R"("last_assistant_message":)" + stamp}};
}

// Watchers connect before publishers, so that all receive the first event.
struct Load {
  explicit Load(const Options& options)
      : watchers({.port = options.port,
                  .path = options.watch_path,
                  .connections = options.watchers,
                  .publishers = options.publishers}),
        publishers({.port = options.port,
                    .connections = options.publishers,
                    .posts = [&options](std::uint32_t publisher) -> std::vector<Post> {
                      if (options.hooks) return hooks_of(publisher);
                      return {
                          {.path = options.publish_path, .body = event_body(options.event_bytes)}};
                    }}),
        watcher_count(options.watchers) {
    watchers.wake_on(publishers.epoll());
  }

  // Runs until the time is over or `is_over` returns true.
  void run(
      double seconds, const std::function<bool()>& is_over = [] { return false; }) {
    const std::int64_t end = now_ns() + static_cast<std::int64_t>(seconds * 1e9);
    while (now_ns() < end && !is_over()) {
      publishers.poll();
      watchers.poll(10);
    }
  }

  // Deliveries of accepted events that have not arrived yet.
  std::uint64_t missing() const {
    const std::uint64_t expected = publishers.accepted() * watcher_count;
    return expected - std::min(expected, watchers.received());
  }

  // Runs until every watcher has received every event.
  void drain(double seconds) {
    run(seconds, [this] { return !publishers.is_busy() && missing() == 0; });
  }

  Watchers watchers;
  Publishers publishers;
  std::uint64_t watcher_count;
};

struct Moment {
  explicit Moment(pid_t server, const Publishers& publishers)
      : time_ns(now_ns()),
        server_ns(cpu_time_ns(server)),
        own_ns(cpu_time_ns(getpid())),
        accepted(publishers.accepted()) {}

  std::int64_t time_ns;
  std::int64_t server_ns;
  std::int64_t own_ns;
  std::uint64_t accepted;
};

void measure_fan_out(const Options& options) {
  Load load(options);
  if (options.rate > 0)
    load.publishers.publish_at(options.rate);
  else
    load.publishers.publish_as_fast_as_possible();
  load.run(options.warm_up_s);

  load.watchers.reset_readings();
  const Moment begin(options.server, load.publishers);
  load.run(options.duration_s);
  const Moment end(options.server, load.publishers);
  const Readings seen = load.watchers.readings();

  load.publishers.stop();
  load.drain(options.drain_s);

  const double seconds = static_cast<double>(end.time_ns - begin.time_ns) / 1e9;
  const double server_us = static_cast<double>(end.server_ns - begin.server_ns) / 1e3;
  const double own_us = static_cast<double>(end.own_ns - begin.own_ns) / 1e3;
  const auto deliveries = static_cast<double>(seen.deliveries);
  const Faults& faults = load.watchers.faults();
  const std::string rate = options.rate > 0 ? number(options.rate, 0) : "max";
  print_line("fanout", options.label, options.watchers, rate,
             number(static_cast<double>(end.accepted - begin.accepted) / seconds, 1),
             number(deliveries / seconds, 1), microseconds(seen.latency.percentile(0.5)),
             microseconds(seen.latency.percentile(0.99)), microseconds(seen.latency.max()),
             number(ratio(server_us, deliveries), 3), number(server_us / 1e6 / seconds, 3),
             number(own_us / 1e6 / seconds, 3),
             number(ratio(deliveries, static_cast<double>(seen.reads)), 2),
             number(ratio(static_cast<double>(seen.bytes), deliveries), 0), load.missing(),
             faults.duplicates, faults.disorder, faults.disconnected, load.publishers.rejected());
  if (load.publishers.rejected() > 0)
    std::cerr << options.label << " rejected an event: " << load.publishers.last_rejection()
              << '\n';
}

void measure_idle_memory(const Options& options) {
  constexpr std::uint64_t kSomeEvents = 20;
  constexpr double kSettleSeconds = 1;
  const std::uint64_t before = memory_bytes(options.server);
  Load load(options);
  load.run(kSettleSeconds);
  const std::uint64_t fresh = memory_bytes(options.server);
  load.publishers.publish_some(kSomeEvents);
  load.drain(options.drain_s);
  load.run(kSettleSeconds);
  const std::uint64_t used = memory_bytes(options.server);
  const auto per_watcher = [&](std::uint64_t now) {
    return number((static_cast<double>(now) - static_cast<double>(before)) / options.watchers, 0);
  };
  print_line("idle", options.label, options.watchers, per_watcher(fresh), per_watcher(used));
}

Options parse(int argc, char** argv) {
  Options options;
  CLI::App app("Measures how a server on 127.0.0.1 delivers events to many SSE streams.");
  app.add_option("--label", options.label, "Name of the server in the output");
  app.add_option("--port", options.port)->required();
  app.add_option("--server-pid", options.server, "Process whose cost is measured")->required();
  app.add_option("--watch-path", options.watch_path)->capture_default_str();
  app.add_option("--publish-path", options.publish_path)->capture_default_str();
  app.add_option("--watchers", options.watchers, "SSE streams")->capture_default_str();
  app.add_option("--publishers", options.publishers, "Connections that publish")
      ->check(CLI::Range(1U, kMaxPublishers))
      ->capture_default_str();
  app.add_option("--rate", options.rate, "Events per second; 0: as fast as possible")
      ->capture_default_str();
  app.add_option("--event-bytes", options.event_bytes)->capture_default_str();
  app.add_option("--warm-up", options.warm_up_s, "Seconds before measuring")->capture_default_str();
  app.add_option("--duration", options.duration_s, "Seconds of measuring")->capture_default_str();
  app.add_option("--drain", options.drain_s, "Seconds to wait for the last events")
      ->capture_default_str();
  app.add_flag("--hooks", options.hooks, "Post the hooks of one observed agent per publisher");
  app.add_flag("--idle", options.idle, "Measure memory per connection instead");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error));
  }
  return options;
}

void run(const Options& options) {
  constexpr double kSetUpSeconds = 30;
  alarm(static_cast<unsigned>(options.warm_up_s + options.duration_s + options.drain_s +
                              kSetUpSeconds));
  raise_file_limit();
  if (options.idle)
    measure_idle_memory(options);
  else
    measure_fan_out(options);
}

}  // namespace
}  // namespace oriel

int main(int argc, char** argv) {
  try {
    oriel::run(oriel::parse(argc, argv));
  } catch (const std::exception& error) {
    std::cerr << "load_generator: " << error.what() << '\n';
    return 1;
  }
}
