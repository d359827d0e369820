// Measures two nodes that share a log over one nats-server, which it starts.
//
// Prints one line per measurement, tab-separated: cluster, case, events/s, events per message,
// ratio to bare JetStream publishers of messages of the same size in the same run, median and 99th
// percentile in milliseconds: of an append; in the case "announced", from the append on one node to
// the announcement on the other one. In the case "catch up": entries of the log and the seconds
// that a new node needs for them. In the case "snapshot": events, MiB, the seconds until another
// node has them (the slowest of three times), and the 99th percentile of announcements before and
// meanwhile, in milliseconds.

#include "base/event/event_json.h"
#include "base/id.h"
#include "base/log.h"
#include "cluster/entry_codec.h"
#include "cluster/log_stream.h"
#include "cluster/nats_log.h"
#include "cluster/nats_server_testing.h"
#include "cluster/snapshot.h"
#include "histogram.h"
#include "journal/journal.h"
#include "journal/sqlite/sqlite_engine.h"
#include "journal/to_record.h"
#include "runtime/shards.h"
#include "runtime/thread_priority.h"

#include <boost/asio/use_future.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <future>
#include <memory>
#include <semaphore>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace oriel {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t kEventBytes = 300;
constexpr std::size_t kSessions = 64;  // half of them on each node
constexpr auto kMeasured = 5s;
constexpr std::size_t kPublishers = 2;
constexpr std::size_t kWindow = 8;  // messages of a bare publisher under way, as of a node
constexpr int kSteadyRate = 1000;   // events/s
constexpr int kSteadyEvents = 5000;
constexpr int kMaxSteadyEvents = 200'000;
constexpr const char* kSteadySession = "steady";
constexpr std::uint64_t kCatchUpEntries = 100'000;
constexpr std::size_t kFillWindow = 256;  // entries under way
constexpr std::size_t kSnapshotEvents = 1'000'000;
constexpr std::size_t kFillGroup = 200;  // events of an append
constexpr int kSnapshotRounds = 3;
constexpr auto kPatience = 5min;

SessionEvent event_of(const std::string& session) {
  SessionEvent event;
  event::AssistantMessage message{.number = 1, .text = {}};
  event.payload = message;
  event.session_id = session;
  event.project_id = "project-1";
  event.timestamp = wall_now();
  message.text.assign(kEventBytes - serialize_body(event).size(), 'x');
  event.payload = std::move(message);
  return event;
}

class Node {
 public:
  Node(const NatsServer& server, const std::string& name, const std::filesystem::path& file,
       Journal::Listener listener = {})
      : connection_(server.options(), 10s) {
    auto log = std::make_unique<NatsLog>(
        connection_, NatsLogOptions{.life = name + "." + random_id(), .applied = {}});
    log_ = log.get();
    journal_ = std::make_unique<Journal>(open_sqlite_engine({.file = file, .retention = {}}),
                                         JournalOptions{}, std::move(log));
    if (listener) journal_->on_commit(std::move(listener));
    journal_->start();
  }

  ~Node() { journal_->stop(); }

  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  Journal& journal() { return *journal_; }

  NatsLog& log() { return *log_; }

 private:
  NatsConnection connection_;
  NatsLog* log_ = nullptr;
  std::unique_ptr<Journal> journal_;
};

// A server with an empty log, and a directory for journals.
struct Cluster {
  Cluster() {
    NatsConnection connection(server.options(), 10s);
    if (!open_log_stream(connection, {.new_log = "bench"}, 10s))
      throw std::runtime_error("nats-server makes no stream");
  }

  NatsServer server;
  TempDirectory directory;
};

struct Appended {
  std::size_t events = 0;
  std::vector<std::int64_t> times;  // nanoseconds
};

asio::awaitable<Appended> append_until(Journal& journal, std::string session, std::size_t each,
                                       Clock::time_point end) {
  Appended appended;
  while (Clock::now() < end) {
    std::vector<SessionEvent> events(each, event_of(session));
    const auto start = Clock::now();
    const auto stored = co_await journal.append(std::move(events));
    if (!stored) throw std::runtime_error(stored.error().message);
    appended.times.push_back((Clock::now() - start).count());
    appended.events += each;
  }
  co_return appended;
}

// Publishes messages of a size through a window until the end, and hears all that are stored, as a
// node does.
std::size_t publish_bare(const NatsServer& server, std::size_t bytes, Clock::time_point end) {
  std::counting_semaphore<> window(kWindow);
  std::atomic<std::size_t> stored = 0;
  // After what its handlers use: it waits for them when it ends.
  NatsConnection connection(server.options(), 10s);
  const std::string inbox = NatsConnection::new_inbox();
  const auto count = [&](const NatsMessage& answer) {
    if (answer.body.find("\"error\"") == std::string::npos) ++stored;
    window.release();
  };
  connection.subscribe(inbox, count, 64 << 20);
  connection.subscribe(
      "oriel.live.>", [](const NatsMessage&) {}, 64 << 20);
  const std::string body(bytes, 'x');
  while (Clock::now() < end) {
    // An answer that is lost must not stop the others.
    if (!window.try_acquire_for(100ms)) continue;
    if (!connection.publish("oriel.log.bare", body, inbox)) window.release();
  }
  return stored;
}

// Messages per second that as many bare JetStream publishers as there are nodes get stored.
double bare_rate(std::size_t bytes) {
  const Cluster cluster;
  const auto end = Clock::now() + kMeasured;
  std::vector<std::future<std::size_t>> publishers;
  for (std::size_t i = 0; i < kPublishers; ++i) {
    publishers.push_back(
        std::async(std::launch::async, [&] { return publish_bare(cluster.server, bytes, end); }));
  }
  std::size_t messages = 0;
  for (auto& publisher : publishers)
    messages += publisher.get();
  return static_cast<double>(messages) / std::chrono::duration<double>(kMeasured).count();
}

void print(const char* name, double events_per_s, double group, double ratio,
           const Histogram& times) {
  std::printf("cluster\t%s\t%.0f\t%.1f\t%.2f\t%.2f\t%.2f\n", name, events_per_s, group, ratio,
              static_cast<double>(times.percentile(0.5)) / 1e6,
              static_cast<double>(times.percentile(0.99)) / 1e6);
  std::fflush(stdout);
}

void measure_appends(const char* name, std::size_t each) {
  const Cluster cluster;
  Node left(cluster.server, "left", cluster.directory / "left.db");
  Node right(cluster.server, "right", cluster.directory / "right.db");
  Shards shards(2);
  shards.start();
  const auto start = Clock::now();
  std::vector<std::future<Appended>> sessions;
  for (std::size_t i = 0; i < kSessions; ++i) {
    Journal& journal = i % 2 == 0 ? left.journal() : right.journal();
    sessions.push_back(asio::co_spawn(
        shards[i % 2].executor(),
        append_until(journal, "session-" + std::to_string(i), each, start + kMeasured),
        asio::use_future));
  }
  std::size_t events = 0;
  Histogram times;
  for (auto& session : sessions) {
    const Appended appended = session.get();
    events += appended.events;
    for (const std::int64_t time : appended.times)
      times.add(time);
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const auto messages = static_cast<double>(left.journal().applied().place);
  const double group = static_cast<double>(events) / messages;
  const double bare = bare_rate(static_cast<std::size_t>(group * kEventBytes)) * group;
  const double rate = static_cast<double>(events) / seconds;
  print(name, rate, group, rate / bare, times);
}

asio::awaitable<void> append_one(Journal& journal) {
  std::vector<SessionEvent> events(1, event_of(kSteadySession));
  const auto stored = co_await journal.append(std::move(events));
  if (!stored) throw std::runtime_error(stored.error().message);
}

// Appends events one by one at a steady rate on one node, and times their announcements on another.
class SteadyEvents {
 public:
  // For the listener of the other node.
  void announced(const std::vector<RecordPtr>& records) {
    const auto now = Clock::now();
    for (const RecordPtr& record : records) {
      if (record->session_id != kSteadySession) continue;
      times_->add((now - begun_[static_cast<std::size_t>(record->index)]).count());
      ++announced_;
    }
  }

  // Appends until `is_over`, which gets the number of events so far. Adds their times.
  template <class Condition>
  void append(Journal& journal, Histogram& times, const Condition& is_over) {
    times_ = &times;
    Shards shards(1);
    shards.start();
    const int first = sent_;
    const auto start = Clock::now();
    std::vector<std::future<void>> appends;
    while (!is_over(sent_ - first)) {
      if (sent_ == kMaxSteadyEvents) throw std::runtime_error("too many steady events");
      std::this_thread::sleep_until(start + (sent_ - first) * (1'000'000us / kSteadyRate));
      begun_[static_cast<std::size_t>(sent_++)] = Clock::now();
      appends.push_back(
          asio::co_spawn(shards[0].executor(), append_one(journal), asio::use_future));
    }
    for (auto& append : appends)
      append.get();
    if (!happens([&] { return announced_ == sent_; }))
      throw std::runtime_error("the other node has not announced all events");
  }

 private:
  std::vector<Clock::time_point> begun_{kMaxSteadyEvents};
  Histogram* times_ = nullptr;  // while events are under way
  int sent_ = 0;
  std::atomic<int> announced_ = 0;
};

double p99_ms(const Histogram& times) {
  return static_cast<double>(times.percentile(0.99)) / 1e6;
}

// From the append on one node to the announcement on another.
void measure_announcements() {
  const Cluster cluster;
  SteadyEvents steady;
  Node left(cluster.server, "left", cluster.directory / "left.db");
  Node right(cluster.server, "right", cluster.directory / "right.db",
             [&](const std::vector<RecordPtr>& records) { steady.announced(records); });
  const auto start = Clock::now();
  Histogram times;
  steady.append(left.journal(), times, [](int events) { return events == kSteadyEvents; });
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  print("announced", kSteadyEvents / seconds, 1, 0, times);
}

// Puts entries of one event each into the log, as a node that has gone.
void fill_log(const NatsServer& server, std::uint64_t entries) {
  std::counting_semaphore<> window(kFillWindow);
  NatsConnection connection(server.options(), 10s);
  const std::string inbox = NatsConnection::new_inbox();
  connection.subscribe(
      inbox, [&](const NatsMessage&) { window.release(); }, 64 << 20);
  std::vector<Proposal> proposals(1);
  proposals[0].records = {to_record(event_of("session"))};
  const std::string payload = encode_proposals(proposals);
  for (std::uint64_t number = 1; number <= entries; ++number) {
    window.acquire();
    for (const std::string& message : encode_entry("gone.1", number, payload)) {
      if (!connection.publish("oriel.log.gone", message, inbox))
        throw std::runtime_error("nats-server accepts no entries");
    }
  }
  // All answers are there: the window is empty.
  for (std::size_t i = 0; i < kFillWindow; ++i)
    window.acquire();
}

// A node without a journal reads the log from its first entry.
void measure_catch_up() {
  const Cluster cluster;
  fill_log(cluster.server, kCatchUpEntries);
  const auto start = Clock::now();
  Node late(cluster.server, "late", cluster.directory / "late.db");
  while (late.journal().applied().place < kCatchUpEntries) {
    if (Clock::now() > start + kPatience) throw std::runtime_error("the node does not catch up");
    std::this_thread::sleep_for(5ms);
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  std::printf("cluster\tcatch up\t%zu\t%.2f\n", static_cast<std::size_t>(kCatchUpEntries), seconds);
  std::fflush(stdout);
}

asio::awaitable<void> fill_journal(Journal& journal, std::size_t events) {
  for (std::size_t i = 0; i < events; i += kFillGroup) {
    std::vector<SessionEvent> group(kFillGroup, event_of("session-" + std::to_string(i % 100)));
    const auto stored = co_await journal.append(std::move(group));
    if (!stored) throw std::runtime_error(stored.error().message);
  }
}

// Takes the snapshot of the node "right". Returns the seconds. Gives way to the nodes, because the
// node that joins has a machine of its own.
double fetch_timed(const NatsServer& server, const std::filesystem::path& file) {
  lower_thread_priority();
  NatsConnection connection(server.options(), 10s);
  const auto start = Clock::now();
  const auto fetched = fetch_snapshot(connection, "right", file, {});
  if (!fetched) throw std::runtime_error(fetched.error().message);
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// A node that serves watchers gives its journal to one that joins.
void measure_snapshot() {
  const Cluster cluster;
  SteadyEvents steady;
  Node left(cluster.server, "left", cluster.directory / "left.db");
  Node right(cluster.server, "right", cluster.directory / "right.db",
             [&](const std::vector<RecordPtr>& records) { steady.announced(records); });
  Shards shards(1);
  shards.start();
  asio::co_spawn(shards[0].executor(), fill_journal(left.journal(), kSnapshotEvents),
                 asio::use_future)
      .get();
  const std::uint64_t place = left.journal().applied().place;
  if (!happens([&] { return right.journal().applied().place >= place; }))
    throw std::runtime_error("the other node has not stored all events");
  NatsConnection given(cluster.server.options(), 10s);
  SnapshotServer snapshots(given, right.journal(),
                           {.node = "right", .directory = cluster.directory / "snapshots"});
  ::sync();  // what was filled in must not be written to the disk meanwhile
  const std::filesystem::path file = cluster.directory / "joining.db";
  Histogram before;
  Histogram meanwhile;
  double slowest = 0;
  // By turns, because other work on the machine comes and goes.
  for (int round = 0; round < kSnapshotRounds; ++round) {
    steady.append(left.journal(), before, [](int events) { return events == kSteadyEvents; });
    auto fetching =
        std::async(std::launch::async, [&] { return fetch_timed(cluster.server, file); });
    steady.append(left.journal(), meanwhile,
                  [&](int) { return fetching.wait_for(0s) == std::future_status::ready; });
    slowest = std::max(slowest, fetching.get());
  }
  std::printf("cluster\tsnapshot\t%zu\t%.0f\t%.2f\t%.2f\t%.2f\n", kSnapshotEvents,
              static_cast<double>(std::filesystem::file_size(file)) / (1 << 20), slowest,
              p99_ms(before), p99_ms(meanwhile));
  std::fflush(stdout);
}

}  // namespace
}  // namespace oriel

int main() {
  oriel::set_log_level("warn");
  oriel::measure_appends("1 event per append", 1);
  oriel::measure_appends("8 events per append", 8);
  oriel::measure_announcements();
  oriel::measure_catch_up();
  oriel::measure_snapshot();
}
