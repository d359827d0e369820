// Measures the search index of a journal with a million events: how fast it is made, how large it
// is, how long searches take, and what it costs those who append.
//
// Prints one line per measurement, tab-separated:
//   build    events, entries, events/s, bytes of text, bytes of the index
//   query    name, results, median and 99th percentile in milliseconds, the same of processor time
//   append   without or with the index, events/s, median and 99th percentile in milliseconds

#include "base/event/turn_event.h"
#include "journal/sqlite/sqlite_engine.h"
#include "journal/to_record.h"
#include "runtime/shards.h"
#include "search/search_index.h"

#include <boost/asio/use_future.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <future>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kSessions = 1000;
constexpr std::size_t kProjects = 20;
constexpr std::size_t kVocabulary = 50'000;
constexpr int kQueries = 200;  // of each kind
constexpr std::size_t kAppenders = 16;
constexpr std::size_t kEventsEach = 8;
constexpr std::size_t kAppended = 60'000;  // events of one measurement

std::string session_of(std::size_t number) {
  return "session-" + std::to_string(number % kSessions);
}

// Words as in texts: the n-th most frequent one is used 1/n times as often as the first.
class Words {
 public:
  std::string one() {
    const double u = std::uniform_real_distribution<double>(0, 1)(random_);
    const auto rank = static_cast<std::size_t>(std::pow(double{kVocabulary}, u)) - 1;
    return "w" + std::to_string(rank);
  }

  std::string text(std::size_t words) {
    std::string text;
    for (std::size_t i = 0; i < words; ++i)
      text += (i > 0 ? " " : "") + one();
    return text;
  }

  std::size_t below(std::size_t end) { return random_() % end; }

 private:
  std::mt19937_64 random_{1};
};

// A message, tool call, result or piece of an answer, as in the journal of busy agents. Pieces are
// not indexed.
SessionEvent event_of(std::size_t number, Words& words) {
  SessionEvent event;
  event.session_id = session_of(words.below(kSessions));
  event.project_id = "project-" + std::to_string(number % kProjects);
  event.task_id = "task_" + std::to_string(number / 100);
  event.timestamp = wall_now();
  switch (number % 5) {
    case 0: {
      Turn turn;
      turn.turn_id = "turn_" + std::to_string(number);
      turn.session_id = event.session_id;
      turn.actor = number % 2 == 0 ? TurnActor::kAgent : TurnActor::kUser;
      turn.text = words.text(60);
      turn.timestamp = event.timestamp;
      event.payload = turn_created_event(std::move(turn)).payload;
      break;
    }
    case 1:
    case 3:
      event.payload = event::ToolCall{.id = "call_" + std::to_string(number),
                                      .name = "Bash",
                                      .input = R"({"command":")" + words.text(12) + "\"}"};
      break;
    default:
      event.payload = event::ToolResult{
          .id = "call_" + std::to_string(number), .name = "Bash", .output = words.text(50)};
  }
  return event;
}

void fill(JournalEngine& engine, std::size_t count) {
  constexpr std::size_t kCommit = 4096;
  Words words;
  std::vector<Document> documents;
  for (std::size_t i = 0; i < kSessions; ++i)
    documents.push_back({.key = "session/" + session_of(i), .value = "{}"});
  for (std::size_t done = 0; done < count;) {
    std::vector<std::shared_ptr<Record>> records(std::min(count - done, kCommit));
    for (auto& record : records)
      record = to_record(event_of(done++, words));
    engine.commit(records, std::exchange(documents, {}));
  }
}

template <class T>
T wait(Shards& shards, asio::awaitable<T> work) {
  return asio::co_spawn(shards[0].executor(), std::move(work), asio::use_future).get();
}

void start(Shards& shards, SearchIndex& index) {
  wait(shards, run_on(shards[0].executor(), [&index] { index.start(); }));
}

void catch_up(const Journal& journal, const SearchIndex& index) {
  while (index.status().position < journal.head())
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

double percentile(std::vector<double>& times, std::size_t percent) {
  std::sort(times.begin(), times.end());
  return times[std::min(times.size() - 1, times.size() * percent / 100)];
}

// Of all threads of this process, in milliseconds: on a busy machine it says more than the clock.
double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

struct Kind {
  const char* name;
  std::function<std::string(int)> words;  // of the n-th query
  std::size_t sessions = kSessions;       // that may be found
};

std::shared_ptr<const SearchedSessions> first_sessions(std::size_t count) {
  SearchedSessions sessions;
  for (std::size_t i = 0; i < count; ++i)
    sessions[session_of(i)] = {.rank = 0, .title = "Session " + std::to_string(i)};
  return std::make_shared<const SearchedSessions>(std::move(sessions));
}

void measure_queries(Shards& shards, SearchIndex& index) {
  const auto word = [](std::size_t rank) { return "w" + std::to_string(rank); };
  const std::vector<Kind> kinds = {
      {"a common word", [&](int i) { return word(static_cast<std::size_t>(i) % 20); }},
      {"a rare word", [&](int i) { return word(20'000 + static_cast<std::size_t>(i) * 100); }},
      {"two common words", [&](int i) { return word(static_cast<std::size_t>(i) % 9) + " w9"; }},
      {"a common and two rare words",
       [&](int i) {
         return "w0 " + word(15'000 + static_cast<std::size_t>(i)) + " " +
                word(30'000 + static_cast<std::size_t>(i));
       }},
      {"a phrase of common words",
       [&](int i) { return "\"w1 " + word(static_cast<std::size_t>(i) % 9) + " w2\""; }},
      {"a prefix of two characters", [&](int i) { return "w" + std::to_string(i % 9 + 1) + "*"; }},
      {"a prefix of four characters", [&](int i) { return "w" + std::to_string(100 + i) + "*"; }},
      {"a common word in one session",
       [&](int i) { return word(static_cast<std::size_t>(i) % 20); }, 1},
      {"a rare word in 100 sessions",
       [&](int i) { return word(5'000 + static_cast<std::size_t>(i) * 100); }, 100},
      {"a word that is nowhere", [](int i) { return "nowhere" + std::to_string(i); }}};
  for (const Kind& kind : kinds) {
    const auto sessions = first_sessions(kind.sessions);
    std::vector<double> times;
    std::vector<double> processor_times;
    std::size_t found = 0;
    for (int i = 0; i < kQueries; ++i) {
      SearchQuery query;
      query.words = parse_search_words(kind.words(i)).value();
      query.sessions = sessions;
      const double processor_before = processor_time();
      const auto begin = Clock::now();
      const auto results = wait(shards, index.search(std::move(query)));
      processor_times.push_back(processor_time() - processor_before);
      times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
      found += results.value().hits.size();
    }
    std::printf("query\t%s\t%.1f\t%.2f\t%.2f\t%.2f\t%.2f\n", kind.name,
                static_cast<double>(found) / kQueries, percentile(times, 50), percentile(times, 99),
                percentile(processor_times, 50), percentile(processor_times, 99));
    std::fflush(stdout);
  }
}

asio::awaitable<std::vector<double>> append_often(Journal& journal, std::size_t appender) {
  std::vector<double> times;
  Words words;
  for (std::size_t i = 0; i < kAppended / kAppenders / kEventsEach; ++i) {
    std::vector<SessionEvent> events;
    for (std::size_t k = 0; k < kEventsEach; ++k)
      events.push_back(event_of(appender * 7 + i * kEventsEach + k, words));
    const auto begin = Clock::now();
    auto appending = journal.append(std::move(events));
    const auto appended = co_await std::move(appending);
    if (!appended) throw std::runtime_error(appended.error().message);
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
  }
  co_return times;
}

void measure_appends(Shards& shards, Journal& journal, const char* name) {
  const auto begin = Clock::now();
  std::vector<std::future<std::vector<double>>> appenders;
  for (std::size_t i = 0; i < kAppenders; ++i)
    appenders.push_back(
        asio::co_spawn(shards[0].executor(), append_often(journal, i), asio::use_future));
  std::vector<double> times;
  for (auto& appender : appenders) {
    const std::vector<double> some = appender.get();
    times.insert(times.end(), some.begin(), some.end());
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::printf("append\t%s\t%.0f\t%.2f\t%.2f\n", name, static_cast<double>(kAppended) / seconds,
              percentile(times, 50), percentile(times, 99));
  std::fflush(stdout);
}

std::int64_t number_in(const fs::path& file, const char* sql) {
  SqliteDatabase database(file, SqliteDatabase::Access::kReadOnly);
  return database.integer(sql);
}

// Appends with and without an index that follows, in turn, so that both see the same machine.
void compare_appends(Shards& shards, const fs::path& directory) {
  for (int i = 0; i < 3; ++i) {
    for (const bool has_index : {false, true}) {
      const fs::path place = directory / ("append-" + std::to_string(2 * i + (has_index ? 1 : 0)));
      fs::create_directory(place);
      Journal journal(open_sqlite_engine({.file = place / "journal.db", .retention = {}}), {});
      SearchIndex index(shards[0].executor(), journal,
                        {.file = place / "search.db", .max_bytes = has_index ? 64ULL << 30 : 0});
      journal.start();
      start(shards, index);
      measure_appends(shards, journal, has_index ? "with the index" : "without");
      wait(shards, index.stop());
      journal.stop();
    }
  }
}

void run(const fs::path& directory, std::size_t events) {
  const fs::path file = directory / "search.db";
  Shards shards(1);
  shards.start();
  auto engine = open_sqlite_engine({.file = directory / "journal.db", .retention = {}});
  fill(*engine, events);
  {
    Journal journal(std::move(engine), {});
    SearchIndex index(shards[0].executor(), journal, {.file = file, .max_bytes = 64ULL << 30});
    journal.start();
    const auto begin = Clock::now();
    start(shards, index);
    catch_up(journal, index);
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    std::printf("build\t%zu\t%lld\t%.0f\t%lld\t%llu\n", events,
                static_cast<long long>(number_in(file, "SELECT count(*) FROM entries")),
                static_cast<double>(events) / seconds,
                static_cast<long long>(number_in(file, "SELECT sum(length(text)) FROM entries")),
                static_cast<unsigned long long>(index.status().bytes));
    std::fflush(stdout);
    measure_queries(shards, index);
    wait(shards, index.stop());
    journal.stop();
  }
  compare_appends(shards, directory);
  shards.join();
}

}  // namespace
}  // namespace oriel

// search_bench [EVENTS]
int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  const std::size_t events = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1'000'000;
  std::string directory = (fs::temp_directory_path() / "oriel-search-bench-XXXXXX").string();
  if (mkdtemp(directory.data()) == nullptr) {
    std::perror(directory.c_str());
    return 1;
  }
  oriel::run(directory, events);
  fs::remove_all(directory);
}
