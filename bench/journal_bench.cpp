// Measures how many events per second the journal commits, and whether the rate depends on how many
// it has stored.
//
// Prints one line per measurement, tab-separated: journal, case, events stored before, events/s,
// ratio to the case's first line, median and 99th percentile of an append in milliseconds.

#include "base/event/event_json.h"
#include "journal/journal.h"
#include "journal/memory_engine.h"
#include "journal/sqlite/sqlite_engine.h"
#include "runtime/shards.h"

#include <boost/asio/use_future.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <string>
#include <vector>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kEventBytes = 300;
constexpr std::size_t kSessions = 100;
constexpr std::size_t kAppenders = 64;
constexpr std::size_t kShards = 2;
constexpr std::size_t kMeasured = 120'000;  // events

SessionEvent event_of(std::size_t session) {
  SessionEvent event;
  event::AssistantMessage message{.number = 1, .text = {}};
  event.payload = message;
  event.session_id = "session-" + std::to_string(session % kSessions);
  event.project_id = "project-1";
  event.timestamp = wall_now();
  message.text.assign(kEventBytes - serialize_body(event).size(), 'x');
  event.payload = std::move(message);
  return event;
}

// Stores events through the engine directly.
void fill(JournalEngine& engine, std::size_t count) {
  constexpr std::size_t kCommit = 4096;
  while (count > 0) {
    std::vector<std::shared_ptr<Record>> records(std::min(count, kCommit));
    for (std::size_t i = 0; i < records.size(); ++i) {
      const SessionEvent event = event_of(i);
      records[i] = std::make_shared<Record>();
      records[i]->type = event.feed_type();
      records[i]->event_type = event.type();
      records[i]->session_id = event.session_id;
      records[i]->project_id = event.project_id;
      records[i]->time = event.timestamp;
      records[i]->body = serialize_body(event);
    }
    engine.commit_records(records);
    count -= records.size();
  }
}

using Milliseconds = std::vector<double>;

asio::awaitable<Milliseconds> append_often(Journal& journal, std::size_t appender,
                                           std::size_t appends, std::size_t events_each) {
  Milliseconds times;
  times.reserve(appends);
  for (std::size_t i = 0; i < appends; ++i) {
    std::vector<SessionEvent> events(events_each, event_of(appender + i * kAppenders));
    const auto start = Clock::now();
    const auto appended = co_await journal.append(std::move(events));
    if (!appended) throw std::runtime_error(appended.error().message);
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  co_return times;
}

struct Measurement {
  double events_per_s;
  double median_ms;
  double p99_ms;
};

Measurement measure(Journal& journal, std::size_t events_each) {
  Shards shards(kShards);
  shards.start();
  journal.start();
  const std::size_t appends = kMeasured / kAppenders / events_each;
  const auto start = Clock::now();
  std::vector<std::future<Milliseconds>> appenders;
  for (std::size_t i = 0; i < kAppenders; ++i) {
    appenders.push_back(asio::co_spawn(shards[i % kShards].executor(),
                                       append_often(journal, i, appends, events_each),
                                       asio::use_future));
  }
  Milliseconds times;
  for (auto& appender : appenders) {
    const Milliseconds some = appender.get();
    times.insert(times.end(), some.begin(), some.end());
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  journal.stop();
  std::sort(times.begin(), times.end());
  return {.events_per_s = static_cast<double>(appends * kAppenders * events_each) / seconds,
          .median_ms = times[times.size() / 2],
          .p99_ms = times[times.size() * 99 / 100]};
}

struct Case {
  std::string name;
  std::size_t events_each;          // per append
  std::vector<std::size_t> stored;  // events stored before
};

template <class Open>
void run(const Case& measured, Open open) {
  double first = 0;
  for (const std::size_t stored : measured.stored) {
    std::unique_ptr<JournalEngine> engine = open();
    fill(*engine, stored);
    Journal journal(std::move(engine), {});
    const Measurement result = measure(journal, measured.events_each);
    if (first == 0) first = result.events_per_s;
    std::printf("journal\t%s\t%zu\t%.0f\t%.2f\t%.2f\t%.2f\n", measured.name.c_str(), stored,
                result.events_per_s, result.events_per_s / first, result.median_ms, result.p99_ms);
    std::fflush(stdout);
  }
}

void run_all(const fs::path& directory) {
  const auto open_memory = [] { return make_memory_engine({}); };
  const auto open_sqlite = [&](Durability durability) {
    for (const auto& file : fs::directory_iterator(directory))
      fs::remove(file);
    return open_sqlite_engine(
        {.file = directory / "events.db", .durability = durability, .retention = {}});
  };
  const auto open_process = [&] { return open_sqlite(Durability::kProcess); };
  const auto open_power = [&] { return open_sqlite(Durability::kPower); };

  run({.name = "SQLite", .events_each = 8, .stored = {10'000, 100'000, 1'000'000}}, open_process);
  run({.name = "SQLite, 1 event per append",
       .events_each = 1,
       .stored = {10'000, 100'000, 1'000'000}},
      open_process);
  run({.name = "SQLite, durable on power loss", .events_each = 8, .stored = {10'000}}, open_power);
  run({.name = "memory", .events_each = 8, .stored = {10'000}}, open_memory);
  run({.name = "memory, 1 event per append", .events_each = 1, .stored = {10'000}}, open_memory);
}

}  // namespace
}  // namespace oriel

int main() {
  namespace fs = std::filesystem;
  std::string directory = (fs::temp_directory_path() / "oriel-journal-bench-XXXXXX").string();
  if (mkdtemp(directory.data()) == nullptr) {
    std::perror(directory.c_str());
    return 1;
  }
  oriel::run_all(directory);
  fs::remove_all(directory);
}
