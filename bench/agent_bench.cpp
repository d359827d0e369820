// Starts sessions of paced_agent over REST, watches their text, and prints one line of
// tab-separated numbers. One thread, epoll. The server is on 127.0.0.1.
//
//   agents  LABEL  SESSIONS  WATCHERS  RATE  events/s  deliveries/s  p50  p99  max (us)
//           server CPU us per delivery  server busy  generator busy (cores)
//           bytes per event  lost  duplicates  disorder  disconnected  server's resident bytes
//   flood   LINES  seconds  p50  p99  max (us) without it  p50  p99  max (us) with it
//           lines in the journal  lost  duplicates and disorder of the other sessions
//           server's resident bytes before, maximum, after
//   long    LABEL  bytes of the answer  bytes of a piece  seconds
//           p50  p99  max (us) without it  p50  p99  max (us) with it
//           bytes sent to its watcher, who reads no deltas  lost  duplicates and disorder of the
//           other sessions  server's resident bytes before, maximum, after
//           events of the other sessions
//
// `fill` prints nothing; it creates ended sessions.

#include "clock.h"
#include "print.h"
#include "rest_client.h"
#include "server_usage.h"
#include "watchers.h"

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <functional>
#include <string_view>
#include <unistd.h>

namespace oriel {
namespace {

namespace json = boost::json;

struct Options {
  std::string label = "server";
  std::uint16_t port = 0;
  pid_t server = 0;
  std::uint32_t sessions = 50;
  std::uint32_t watchers = 100;
  std::uint32_t rate = 20;
  std::uint32_t lines = 100'000;
  std::uint32_t chunk_bytes = 4096;
  double warm_up_s = 5;
  double duration_s = 8;
  double drain_s = 5;
};

std::int64_t after(double seconds) {
  return now_ns() + static_cast<std::int64_t>(seconds * 1e9);
}

void read_until(
    Watchers& watchers, std::int64_t end,
    const std::function<bool()>& is_over = [] { return false; }) {
  while (now_ns() < end && !is_over())
    watchers.poll(10);
}

// Returns the session's id; empty if the server has no sessions.
std::string start_session(RestClient& client, const std::string& project,
                          const std::string& message) {
  const json::object request{{"agent", "paced"}, {"project_id", project}, {"message", message}};
  const std::string answer = client.post("/api/sessions", json::serialize(request));
  if (answer.empty()) return {};
  return std::string(json::parse(answer).at("session").at("session_id").as_string());
}

std::string prompt(std::uint32_t writer, std::uint64_t events, std::uint32_t rate,
                   std::uint32_t chunk_bytes = 0) {
  return "writer " + std::to_string(writer) + " events " + std::to_string(events) +
         (rate > 0 ? " rate " + std::to_string(rate) : "") +
         (chunk_bytes > 0 ? " bytes " + std::to_string(chunk_bytes) : "");
}

// Starts one session after another and reads in between. Each writes until this time. Returns the
// total number of events.
std::uint64_t start_sessions(RestClient& client, Watchers& watchers, const std::string& project,
                             const Options& options, std::int64_t until) {
  std::uint64_t all = 0;
  for (std::uint32_t writer = 0; writer < options.sessions; ++writer) {
    const double left = static_cast<double>(until - now_ns()) / 1e9;
    const auto events = static_cast<std::uint64_t>(std::max(left * options.rate, 1.0));
    start_session(client, project, prompt(writer, events, options.rate));
    all += events;
    watchers.poll(0);
  }
  return all;
}

void measure_stream(const Options& options) {
  Watchers watchers({.port = options.port,
                     .path = "/api/events?types=delta",
                     .connections = options.watchers,
                     .publishers = options.sessions});
  RestClient client(options.port);
  const std::int64_t begin = after(options.warm_up_s);
  const std::int64_t end = after(options.warm_up_s + options.duration_s);
  const std::uint64_t events = start_sessions(client, watchers, "crowd", options, end);
  if (now_ns() > begin)
    throw std::runtime_error("the sessions did not start in time: raise --warm-up");
  read_until(watchers, begin);

  watchers.reset_readings();
  const std::int64_t server_begin = cpu_time_ns(options.server);
  const std::int64_t own_begin = cpu_time_ns(getpid());
  const std::int64_t measured_from = now_ns();
  read_until(watchers, end);
  const double seconds = static_cast<double>(now_ns() - measured_from) / 1e9;
  const auto server_us = static_cast<double>(cpu_time_ns(options.server) - server_begin) / 1e3;
  const auto own_us = static_cast<double>(cpu_time_ns(getpid()) - own_begin) / 1e3;
  const Readings seen = watchers.readings();

  const std::uint64_t expected = events * options.watchers;
  read_until(watchers, after(options.drain_s), [&] { return watchers.received() == expected; });
  const auto deliveries = static_cast<double>(seen.deliveries);
  const Faults& faults = watchers.faults();
  print_line(
      "agents", options.label, options.sessions, options.watchers, options.rate,
      number(deliveries / options.watchers / seconds, 1), number(deliveries / seconds, 1),
      microseconds(seen.latency.percentile(0.5)), microseconds(seen.latency.percentile(0.99)),
      microseconds(seen.latency.max()), number(ratio(server_us, deliveries), 3),
      number(server_us / 1e6 / seconds, 3), number(own_us / 1e6 / seconds, 3),
      number(ratio(static_cast<double>(seen.bytes), deliveries), 0), expected - watchers.received(),
      faults.duplicates, faults.disorder, faults.disconnected, resident_bytes(options.server).now);
}

// Watches a project's only session, and detects the end of its task without polling the server.
class TaskEnd {
 public:
  // `types` includes status.
  TaskEnd(std::uint16_t port, const std::string& project, const std::string& types = "status")
      : socket_(connect_to(port)) {
    const std::string request = "GET /api/events?types=" + types + "&project_id=" + project +
                                " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                                "\r\nAccept: text/event-stream\r\n\r\n";
    if (send(socket_.get(), request.data(), request.size(), MSG_NOSIGNAL) < 0)
      fail("request a stream");
  }

  const Descriptor& socket() const { return socket_; }

  bool has_ended() {
    constexpr std::string_view kEnd = R"("text":"idle")";
    const ssize_t size = recv(socket_.get(), buffer_.data(), buffer_.size(), 0);
    if (size <= 0) return has_ended_;
    received_ += static_cast<std::uint64_t>(size);
    rest_.append(buffer_.data(), static_cast<std::size_t>(size));
    has_ended_ = has_ended_ || rest_.find(kEnd) != std::string::npos;
    rest_.erase(0, rest_.size() - std::min(rest_.size(), kEnd.size()));
    return has_ended_;
  }

  // Bytes.
  std::uint64_t received() const { return received_; }

 private:
  Descriptor socket_;
  std::vector<char> buffer_ = std::vector<char>(256 << 10);
  std::string rest_;  // which the mark may begin
  std::uint64_t received_ = 0;
  bool has_ended_ = false;
};

// Pieces that were read at once are one event, with several stamps.
void note_stamps(std::string_view text, std::vector<bool>& is_stored) {
  while (true) {
    const std::size_t mark = text.find(kStampMark);
    if (mark == text.npos || text.size() - mark <= kStampDigits) return;
    const std::uint32_t serial = read_stamp(text.data() + mark + 1).serial;
    if (serial < is_stored.size()) is_stored[serial] = true;
    text.remove_prefix(mark + 1 + kStampDigits);
  }
}

// Counts the distinct stamps in a session's stored text.
std::uint64_t count_stored(RestClient& client, const std::string& session, std::uint32_t lines) {
  std::vector<bool> is_stored(lines);
  for (std::int64_t since = -1;;) {
    const json::value page =
        json::parse(client.get("/api/sessions/" + session + "/events?types=delta&limit=5000" +
                               "&since_index=" + std::to_string(since)));
    for (const json::value& event : page.at("events").as_array()) {
      const json::string& text = event.at("text").as_string();
      note_stamps({text.data(), text.size()}, is_stored);
    }
    since = page.at("last_index").to_number<std::int64_t>();
    if (!page.at("has_more").as_bool()) break;
  }
  return static_cast<std::uint64_t>(std::count(is_stored.begin(), is_stored.end(), true));
}

// Sessions at a steady rate and their watchers, measured alone before another session begins.
struct CalmSessions {
  explicit CalmSessions(const Options& options)
      : watchers({.port = options.port,
                  .path = "/api/events?types=delta&project_id=calm",
                  .connections = options.watchers,
                  .publishers = options.sessions}),
        client(options.port),
        limit(after(options.warm_up_s + options.duration_s + kLongestOther)) {
    start_sessions(client, watchers, "calm", options, limit);
    read_until(watchers, after(options.warm_up_s));
    before = resident_bytes(options.server);
    watchers.reset_readings();
    read_until(watchers, after(options.duration_s));
    alone = watchers.readings();
  }

  static constexpr double kLongestOther = 120;  // seconds of the other session

  Watchers watchers;
  RestClient client;
  std::int64_t limit;
  Resident before;
  Readings alone;
};

void measure_flood(const Options& options) {
  CalmSessions calm(options);
  Watchers& watchers = calm.watchers;
  TaskEnd end(options.port, "flood");
  watchers.wake_on(end.socket());
  const std::string flood = start_session(calm.client, "flood", prompt(0, options.lines, 0));
  watchers.poll(0);  // discards what arrived during the request: it waited for this program
  watchers.reset_readings();
  const std::int64_t flood_begin = now_ns();
  read_until(watchers, calm.limit, [&] { return end.has_ended(); });
  const double seconds = static_cast<double>(now_ns() - flood_begin) / 1e9;
  const Readings flooded = watchers.readings();
  const std::uint64_t peak = resident_bytes(options.server).peak;

  constexpr double kSettleSeconds = 1;
  read_until(watchers, after(kSettleSeconds));
  const Resident rest = resident_bytes(options.server);
  const Faults& faults = watchers.faults();
  print_line(
      "flood", options.lines, number(seconds, 2), microseconds(calm.alone.latency.percentile(0.5)),
      microseconds(calm.alone.latency.percentile(0.99)), microseconds(calm.alone.latency.max()),
      microseconds(flooded.latency.percentile(0.5)), microseconds(flooded.latency.percentile(0.99)),
      microseconds(flooded.latency.max()), count_stored(calm.client, flood, options.lines),
      watchers.missing(), faults.duplicates + faults.disorder, calm.before.now, peak, rest.now);
}

void measure_long_answer(const Options& options) {
  CalmSessions calm(options);
  Watchers& watchers = calm.watchers;
  TaskEnd end(options.port, "long", "message,completion,turn_created,status");
  watchers.wake_on(end.socket());
  start_session(calm.client, "long", prompt(0, options.lines, 0, options.chunk_bytes));
  watchers.poll(0);  // discards what arrived during the request: it waited for this program
  watchers.reset_readings();
  const std::int64_t begin = now_ns();
  read_until(watchers, calm.limit, [&] { return end.has_ended(); });
  const double seconds = static_cast<double>(now_ns() - begin) / 1e9;
  const Readings answered = watchers.readings();

  constexpr double kSettleSeconds = 1;
  read_until(watchers, after(kSettleSeconds), [&] {
    end.has_ended();  // reads the turn
    return false;
  });
  const Resident rest = resident_bytes(options.server);
  const Faults& faults = watchers.faults();
  print_line("long", options.label, std::uint64_t{options.lines} * options.chunk_bytes,
             options.chunk_bytes, number(seconds, 2),
             microseconds(calm.alone.latency.percentile(0.5)),
             microseconds(calm.alone.latency.percentile(0.99)),
             microseconds(calm.alone.latency.max()), microseconds(answered.latency.percentile(0.5)),
             microseconds(answered.latency.percentile(0.99)), microseconds(answered.latency.max()),
             end.received(), watchers.missing(), faults.duplicates + faults.disorder,
             calm.before.now, rest.peak, rest.now, watchers.received() / options.watchers);
}

void create_ended_sessions(const Options& options) {
  RestClient client(options.port);
  for (std::uint32_t i = 0; i < options.sessions; ++i) {
    const json::value made = json::parse(client.post("/api/sessions", R"({"agent":"paced"})"));
    const std::string id(made.at("session").at("session_id").as_string());
    client.post("/api/sessions/" + id + "/end", "");
  }
}

void run(int argc, char** argv) {
  Options options;
  CLI::App app("Measures how a server on 127.0.0.1 delivers the output of agents.");
  app.require_subcommand(1);
  app.fallthrough();
  app.add_option("--label", options.label, "Name of the server in the output");
  app.add_option("--port", options.port)->required();
  app.add_option("--server-pid", options.server, "Process whose cost is measured");
  app.add_option("--sessions", options.sessions)
      ->check(CLI::Range(1U, 1'000'000U))
      ->capture_default_str();
  app.add_option("--watchers", options.watchers, "SSE streams")->capture_default_str();
  app.add_option("--rate", options.rate, "Events per second and session")
      ->check(CLI::Range(1U, 1000U))
      ->capture_default_str();
  app.add_option("--lines", options.lines, "Lines of the busy session")->capture_default_str();
  app.add_option("--chunk-bytes", options.chunk_bytes, "Bytes of a line's text in `long`")
      ->check(CLI::Range(64U, 1U << 20))
      ->capture_default_str();
  app.add_option("--warm-up", options.warm_up_s, "Seconds before measuring")->capture_default_str();
  app.add_option("--duration", options.duration_s, "Seconds of measuring")->capture_default_str();
  app.add_option("--drain", options.drain_s, "Seconds to wait for the last events")
      ->capture_default_str();
  app.add_subcommand("stream", "Many sessions, many watchers")->final_callback([&] {
    measure_stream(options);
  });
  app.add_subcommand("flood", "Sessions beside one that writes as fast as it can")
      ->final_callback([&] { measure_flood(options); });
  app.add_subcommand("long", "Sessions beside one with a long answer")->final_callback([&] {
    measure_long_answer(options);
  });
  app.add_subcommand("fill", "Create ended sessions")->final_callback([&] {
    create_ended_sessions(options);
  });
  constexpr unsigned kLongest = 300;
  alarm(kLongest);
  raise_file_limit();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error));
  }
}

}  // namespace
}  // namespace oriel

int main(int argc, char** argv) {
  try {
    oriel::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "agent_bench: " << error.what() << '\n';
    return 1;
  }
}
