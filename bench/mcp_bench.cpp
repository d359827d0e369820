// Generates the load of many MCP clients (protocol version 2025-11-25) and prints one line of
// tab-separated numbers. One thread, epoll. The server is on 127.0.0.1.
//
//   calls   LABEL  CONNECTIONS  calls/s  p50  p99  max (us)
//           server CPU us per call  server busy (cores)
//   idle    LABEL  SESSIONS  server's resident bytes before  after
//   storm   LABEL  STREAMS  EVENTS  seconds until all have resumed  events/s  lost or duplicate
//           `prepare` and `resume` do the same in two steps, with --state FILE in between
//   notify  LABEL  SESSIONS  STREAMS  RATE  notifications/s  p50  p99  max (us)
//           server CPU us per notification  lost or duplicate
//
// `sessions` begins sessions and prints nothing. `storm`, `prepare` and `notify` require Oriel with
// the agent `paced` (bench/paced_agent.cpp).

#include "clock.h"
#include "histogram.h"
#include "mcp_client.h"
#include "print.h"
#include "server_usage.h"
#include "stamp.h"

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <array>
#include <cstring>
#include <exception>
#include <fstream>
#include <functional>
#include <thread>

namespace oriel {
namespace {

namespace json = boost::json;

struct Options {
  std::string label = "server";
  std::uint16_t port = 0;
  pid_t server = 0;
  std::uint32_t connections = 50;
  std::string tool = "test_simple_text";
  std::uint32_t sessions = 50;
  std::uint32_t streams = 100;
  std::uint32_t rate = 20;
  std::uint32_t events = 1000;
  std::string state;
  double warm_up_s = 1;
  double duration_s = 5;
};

std::int64_t after(double seconds) {
  return now_ns() + static_cast<std::int64_t>(seconds * 1e9);
}

void send_all(const Descriptor& socket, const std::string& bytes) {
  if (send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(bytes.size()))
    fail("send");
}

// Calls `on_bytes(index, bytes)` for what arrives on the sockets, until `is_over` or `end`.
void read_until(const Descriptor& epoll, const std::vector<Descriptor>& sockets, std::int64_t end,
                const std::function<bool()>& is_over,
                const std::function<void(std::size_t, std::string_view)>& on_bytes) {
  std::array<epoll_event, 128> ready;
  std::vector<char> buffer(256 << 10);
  while (!is_over() && now_ns() < end) {
    const int count = epoll_wait(epoll.get(), ready.data(), static_cast<int>(ready.size()), 10);
    for (int i = 0; i < count; ++i) {
      const std::size_t index = ready[static_cast<std::size_t>(i)].data.u64;
      const ssize_t size = recv(sockets[index].get(), buffer.data(), buffer.size(), 0);
      if (size == 0) throw std::runtime_error("the server ended a connection");
      if (size > 0) on_bytes(index, {buffer.data(), static_cast<std::size_t>(size)});
    }
  }
}

void measure_calls(const Options& options) {
  const std::string body =
      rpc_message("tools/call", {{"name", options.tool}, {"arguments", json::object()}});
  const Descriptor epoll = make_epoll();
  McpClient setup(options.port);
  std::vector<Descriptor> sockets;
  std::vector<std::string> requests;
  for (std::uint32_t i = 0; i < options.connections; ++i) {
    requests.push_back(mcp_post(options.port, setup.begin(), body));
    sockets.push_back(connect_to(options.port));
    watch(epoll, sockets.back().get(), EPOLLIN, i);
  }
  std::vector<std::string> answers(options.connections);
  std::vector<std::int64_t> sent(options.connections);
  const auto ask = [&](std::size_t index) {
    answers[index].clear();
    sent[index] = now_ns();
    send_all(sockets[index], requests[index]);
  };
  Histogram latency;
  std::uint64_t calls = 0;
  const auto read = [&](std::size_t index, std::string_view bytes) {
    std::string& answer = answers[index];
    answer += bytes;
    const std::size_t head = answer.find("\r\n\r\n");
    if (head == std::string::npos) return;
    // An SSE response is chunked: the last chunk is empty.
    const std::size_t length = content_length(std::string_view(answer).substr(0, head));
    const bool is_whole =
        length > 0 ? answer.size() >= head + 4 + length : answer.ends_with("\r\n0\r\n\r\n");
    if (!is_whole) return;
    if (answer.find("\"result\"") == std::string::npos) throw std::runtime_error(answer);
    latency.add(now_ns() - sent[index]);
    ++calls;
    ask(index);
  };
  for (std::size_t i = 0; i < sockets.size(); ++i)
    ask(i);
  const auto never = [] { return false; };
  read_until(epoll, sockets, after(options.warm_up_s), never, read);
  latency = {};
  calls = 0;
  const std::int64_t begin = now_ns();
  const std::int64_t cpu = cpu_time_ns(options.server);
  read_until(epoll, sockets, after(options.duration_s), never, read);
  const auto spent = static_cast<double>(cpu_time_ns(options.server) - cpu);
  const auto seconds = static_cast<double>(now_ns() - begin) / 1e9;
  print_line("calls", options.label, options.connections,
             number(static_cast<double>(calls) / seconds, 0), microseconds(latency.percentile(0.5)),
             microseconds(latency.percentile(0.99)), microseconds(latency.max()),
             number(ratio(spent / 1e3, static_cast<double>(calls)), 2),
             number(spent / 1e9 / seconds, 2));
}

void measure_idle(const Options& options) {
  McpClient setup(options.port);
  const std::uint64_t before = resident_bytes(options.server).now;
  std::vector<Descriptor> sockets;
  for (std::uint32_t i = 0; i < options.sessions; ++i) {
    sockets.push_back(connect_to(options.port));
    send_all(sockets.back(), mcp_get(options.port, setup.begin()));
  }
  std::this_thread::sleep_for(std::chrono::seconds(2));
  print_line("idle", options.label, options.sessions, before, resident_bytes(options.server).now);
}

// Starts a session of the agent `paced` with a task of one event.
std::string start_agent(McpClient& client, const std::string& session, std::uint32_t writer) {
  const json::object arguments{{"agent", "paced"},
                               {"message", "writer " + std::to_string(writer) + " events 1"}};
  const json::object result =
      client.call(session, "tools/call", {{"name", "session_message"}, {"arguments", arguments}});
  return std::string(result.at("structuredContent").at("session_id").as_string());
}

void watch_agent(McpClient& client, const std::string& session, const std::string& agent) {
  client.call(session, "tools/call",
              {{"name", "session_watch"}, {"arguments", {{"session_id", agent}}}});
}

void message_agent(McpClient& client, const std::string& session, const std::string& agent,
                   const std::string& message) {
  const json::object arguments{{"session_id", agent}, {"message", message}};
  client.call(session, "tools/call", {{"name", "session_message"}, {"arguments", arguments}});
}

void set_level(McpClient& client, const std::string& session) {
  client.call(session, "logging/setLevel", {{"level", "debug"}});
}

// Finds stamps in a stream that arrives in arbitrary pieces.
class StampFinder {
 public:
  template <class Take>
  void feed(std::string_view bytes, Take take) {
    rest_ += bytes;
    std::size_t at = 0;
    for (;;) {
      const std::size_t mark = rest_.find(kStampMark, at);
      if (mark == std::string::npos) {
        rest_.clear();
        return;
      }
      if (rest_.size() - mark <= kStampDigits) {
        rest_.erase(0, mark);
        return;
      }
      take(read_stamp(rest_.data() + mark + 1));
      at = mark + 1;
    }
  }

 private:
  std::string rest_;
};

// Each stream must receive the serials of `delta` events once and in order.
struct Expected {
  std::vector<StampFinder> finders;
  std::vector<std::uint32_t> next;
  std::uint64_t wrong = 0;

  explicit Expected(std::size_t streams) : finders(streams), next(streams) {}
};

std::string last_id(std::string_view bytes) {
  const std::size_t begin = bytes.rfind("id: ");
  if (begin == std::string_view::npos) return {};
  return std::string(bytes.substr(begin + 4, bytes.find('\n', begin) - begin - 4));
}

void measure_notify(const Options& options) {
  McpClient setup(options.port);
  const std::string owner = setup.begin();
  std::vector<std::string> agents;
  for (std::uint32_t i = 0; i < options.sessions; ++i)
    agents.push_back(start_agent(setup, owner, i));
  const Descriptor epoll = make_epoll();
  std::vector<Descriptor> sockets;
  for (std::uint32_t i = 0; i < options.streams; ++i) {
    const std::string session = setup.begin();
    set_level(setup, session);
    watch_agent(setup, session, agents[i % agents.size()]);
    sockets.push_back(connect_to(options.port));
    watch(epoll, sockets.back().get(), EPOLLIN, i);
    send_all(sockets.back(), mcp_get(options.port, session));
  }
  const double writing_s = options.warm_up_s + options.duration_s;
  const auto events = static_cast<std::uint32_t>(writing_s * options.rate);
  for (std::uint32_t i = 0; i < options.sessions; ++i)
    message_agent(setup, owner, agents[i],
                  "writer " + std::to_string(i) + " events " + std::to_string(events) + " rate " +
                      std::to_string(options.rate));
  Expected expected(options.streams);
  Histogram latency;
  std::uint64_t received = 0;
  const auto read = [&](std::size_t index, std::string_view bytes) {
    const std::int64_t now = now_ns();
    // The final message repeats every stamp of the task; repetitions are ignored.
    expected.finders[index].feed(bytes, [&](const Stamp& stamp) {
      std::uint32_t& next = expected.next[index];
      if (stamp.serial < next) return;
      if (stamp.serial > next) ++expected.wrong;
      next = stamp.serial + 1;
      latency.add(now - stamp.sent_ns);
      ++received;
    });
  };
  const auto never = [] { return false; };
  read_until(epoll, sockets, after(options.warm_up_s), never, read);
  latency = {};
  received = 0;
  const std::int64_t begin = now_ns();
  const std::int64_t cpu = cpu_time_ns(options.server);
  read_until(epoll, sockets, after(options.duration_s), never, read);
  const auto spent = static_cast<double>(cpu_time_ns(options.server) - cpu);
  const auto seconds = static_cast<double>(now_ns() - begin) / 1e9;
  const std::uint64_t measured = received;
  const auto is_over = [&] {
    for (const std::uint32_t next : expected.next) {
      if (next < events) return false;
    }
    return true;
  };
  read_until(epoll, sockets, after(10), is_over, read);
  for (const std::uint32_t next : expected.next)
    expected.wrong += events - next;
  print_line("notify", options.label, options.sessions, options.streams, options.rate,
             number(static_cast<double>(measured) / seconds, 0),
             microseconds(latency.percentile(0.5)), microseconds(latency.percentile(0.99)),
             microseconds(latency.max()),
             number(ratio(spent / 1e3, static_cast<double>(measured)), 2), expected.wrong);
}

// A disconnected stream, and the session that it belongs to.
struct Disconnected {
  std::string session;
  std::string cursor;
};

// Streams that have missed the events of a task.
std::vector<Disconnected> prepare_storm(const Options& options) {
  McpClient setup(options.port);
  const std::string owner = setup.begin();
  const std::string agent = start_agent(setup, owner, 1);
  std::vector<Disconnected> streams;
  for (std::uint32_t i = 0; i < options.streams; ++i) {
    const std::string session = setup.begin();
    set_level(setup, session);
    // Reads its first event, then disconnects.
    const Descriptor socket = connect_to(options.port);
    send_all(socket, mcp_get(options.port, session));
    std::string head;
    std::array<char, 4096> buffer;
    while (last_id(head).empty()) {
      const ssize_t size = recv(socket.get(), buffer.data(), buffer.size(), 0);
      if (size > 0) head.append(buffer.data(), static_cast<std::size_t>(size));
    }
    streams.push_back({session, last_id(head)});
    watch_agent(setup, session, agent);
  }
  message_agent(setup, owner, agent, "writer 1 events " + std::to_string(options.events));
  for (std::string status = "running"; status == "running";) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const json::object arguments{{"session_id", agent}};
    const json::object result =
        setup.call(owner, "tools/call", {{"name", "session_get"}, {"arguments", arguments}});
    status = std::string(result.at("structuredContent").at("status").as_string());
  }
  return streams;
}

void resume_all(const Options& options, const std::vector<Disconnected>& streams) {
  const Descriptor epoll = make_epoll();
  std::vector<Descriptor> sockets;
  const std::int64_t begin = now_ns();
  for (std::size_t i = 0; i < streams.size(); ++i) {
    sockets.push_back(connect_to(options.port));
    watch(epoll, sockets.back().get(), EPOLLIN, i);
    send_all(sockets.back(), mcp_get(options.port, streams[i].session, streams[i].cursor));
  }
  Expected expected(streams.size());
  std::size_t done = 0;
  const auto read = [&](std::size_t index, std::string_view bytes) {
    expected.finders[index].feed(bytes, [&](const Stamp& stamp) {
      std::uint32_t& next = expected.next[index];
      if (stamp.serial < next) return;
      if (stamp.serial > next) ++expected.wrong;
      next = stamp.serial + 1;
      if (next == options.events) ++done;
    });
  };
  read_until(
      epoll, sockets, after(60), [&] { return done == streams.size(); }, read);
  const auto seconds = static_cast<double>(now_ns() - begin) / 1e9;
  for (const std::uint32_t next : expected.next)
    expected.wrong += options.events - next;
  print_line("storm", options.label, streams.size(), options.events, number(seconds, 2),
             number(static_cast<double>(streams.size()) * options.events / seconds, 0),
             expected.wrong);
}

void measure_storm(const Options& options) {
  resume_all(options, prepare_storm(options));
}

void prepare(const Options& options) {
  std::ofstream file(options.state);
  for (const Disconnected& stream : prepare_storm(options))
    file << stream.session << ' ' << stream.cursor << '\n';
}

void resume(const Options& options) {
  std::ifstream file(options.state);
  std::vector<Disconnected> streams;
  for (Disconnected stream; file >> stream.session >> stream.cursor;)
    streams.push_back(stream);
  resume_all(options, streams);
}

void begin_sessions(const Options& options) {
  McpClient setup(options.port);
  for (std::uint32_t i = 0; i < options.sessions; ++i)
    set_level(setup, setup.begin());
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Measures an MCP server");
  app.require_subcommand(1);
  app.add_option("--label", options.label);
  app.add_option("--port", options.port)->required();
  app.add_option("--server-pid", options.server)->required();
  app.add_option("--connections", options.connections);
  app.add_option("--tool", options.tool);
  app.add_option("--sessions", options.sessions);
  app.add_option("--streams", options.streams);
  app.add_option("--rate", options.rate);
  app.add_option("--events", options.events);
  app.add_option("--state", options.state);
  app.add_option("--warm-up", options.warm_up_s);
  app.add_option("--duration", options.duration_s);
  const auto add = [&](const char* name, void (*measure)(const Options&)) {
    app.add_subcommand(name)->fallthrough()->final_callback([&options, measure] {
      raise_file_limit();
      measure(options);
    });
  };
  add("calls", measure_calls);
  add("idle", measure_idle);
  add("sessions", begin_sessions);
  add("storm", measure_storm);
  add("prepare", prepare);
  add("resume", resume);
  add("notify", measure_notify);
  CLI11_PARSE(app, argc, argv);
  return 0;
}

}  // namespace
}  // namespace oriel

int main(int argc, char** argv) {
  try {
    return oriel::run(argc, argv);
  } catch (const std::exception& failure) {
    std::cerr << "mcp_bench: " << failure.what() << '\n';
    return 1;
  }
}
