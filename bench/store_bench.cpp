// Measures how many events per second the MCP event store appends and replays, and whether the
// rates depend on the number of streams. The store is always full.
//
// After Google Benchmark's table, prints one line per measurement, tab-separated: store, case,
// streams, events/s (median), ratio to the case's first line.

#include "mcp/streams/event_store.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace oriel {
namespace {

constexpr std::size_t kAppendBudget = 64u << 20;
constexpr std::size_t kReplayBudget = 640u << 20;  // 10 000 streams with a replay's events each
constexpr std::size_t kEventBytes = 300;
constexpr std::size_t kReplayed = 100;  // events in a replay
constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

// A full store whose streams have about the same number of events.
class FullStore {
 public:
  FullStore(std::int64_t streams, std::size_t budget)
      : budget_(budget), store_(budget_), streams_(static_cast<std::size_t>(streams)) {
    for (Stream& stream : streams_)
      stream.log = std::make_unique<mcp::StreamLog>(store_);
    std::size_t held = 0;
    for (; budget_.held() < budget - 4 * kEventBytes; ++held)
      append();
    held_per_stream_ = held / streams_.size();
  }

  // Appends to the next stream, round-robin.
  void append() {
    Stream& stream = streams_[next_];
    next_ = (next_ + 1) % streams_.size();
    stream.log->append(++stream.newest, budget_.hold(std::string(kEventBytes, 'x')),
                       mcp::EventKind::kMessage);
  }

  // Replays random events of a random stream, which are rarely in the processor's caches.
  mcp::EventsAfter replay() {
    const Stream& stream = streams_[random_() % streams_.size()];
    const std::uint64_t back = kReplayed + random_() % (held_per_stream_ - kReplayed);
    return stream.log->events_after(stream.newest - back, kReplayed, kNoLimit);
  }

 private:
  struct Stream {
    std::unique_ptr<mcp::StreamLog> log;
    std::uint64_t newest = 0;
  };

  mcp::StoreBudget budget_;
  mcp::EventStore store_;
  std::vector<Stream> streams_;
  std::size_t held_per_stream_ = 0;
  std::size_t next_ = 0;
  std::minstd_rand random_;
};

void append(benchmark::State& state) {
  FullStore store(state.range(0), kAppendBudget);
  for (auto _ : state)
    store.append();
  state.SetItemsProcessed(state.iterations());
}

void replay(benchmark::State& state) {
  FullStore store(state.range(0), kReplayBudget);
  for (auto _ : state) {
    const mcp::EventsAfter after = store.replay();
    if (after.events.size() != kReplayed) state.SkipWithError("a replay is incomplete");
    benchmark::DoNotOptimize(after.events.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kReplayed));
}

// Prints the usual table and collects the medians.
class Medians : public benchmark::ConsoleReporter {
 public:
  Medians() : ConsoleReporter(OO_None) {}

  struct Measurement {
    std::string name;
    std::string streams;
    double events_per_s;
  };

  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.error_occurred) has_failed_ = true;
      if (run.aggregate_name != "median") continue;
      medians_.push_back({.name = run.run_name.function_name,
                          .streams = run.run_name.args,
                          .events_per_s = run.counters.at("items_per_second").value});
    }
  }

  void print() const {
    std::map<std::string, double> first;
    for (const Measurement& median : medians_) {
      const double base = first.emplace(median.name, median.events_per_s).first->second;
      std::printf("store\t%s\t%s\t%.0f\t%.2f\n", median.name.c_str(), median.streams.c_str(),
                  median.events_per_s, median.events_per_s / base);
    }
  }

  bool has_failed() const { return has_failed_; }

 private:
  std::vector<Measurement> medians_;
  bool has_failed_ = false;
};

}  // namespace
}  // namespace oriel

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (auto* const measured : {benchmark::RegisterBenchmark("append", oriel::append),
                               benchmark::RegisterBenchmark("replay", oriel::replay)})
    measured->Arg(10)->Arg(10'000)->Repetitions(5)->ReportAggregatesOnly();
  oriel::Medians medians;
  benchmark::RunSpecifiedBenchmarks(&medians);
  medians.print();
  return medians.has_failed() ? 1 : 0;
}
