// How many events a second the MCP event store takes and replays, and whether that depends on how
// many streams it has. Both numbers of streams hold as many events as the budget allows.
//
// After Google Benchmark's own table one line a measurement, with tabs: store, case, streams,
// events/s (median), the ratio of that to the case's first line.

#include "mcp/streams/event_store.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace oriel {
namespace {

constexpr std::size_t kAppendBudget = 64u << 20;
constexpr std::size_t kReplayBudget =
    640u << 20;  // so that each of 10 000 streams has a replay's events
constexpr std::size_t kEventBytes = 300;
constexpr std::size_t kStreamsPerSession = 10;
constexpr std::size_t kReplayed = 100;  // events in a replay
constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

// A store that is full, with streams that have all said about the same.
class FullStore {
 public:
  FullStore(std::int64_t streams, std::size_t budget)
      : budget_(budget), store_(budget_), streams_(static_cast<std::size_t>(streams)) {
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      streams_[i].log = &store_.open("session-" + std::to_string(i / kStreamsPerSession),
                                     "stream-" + std::to_string(i));
    }
    std::size_t held = 0;
    for (; budget_.held() < budget - 4 * kEventBytes; ++held)
      append();
    held_per_stream_ = held / streams_.size();
  }

  // To each stream in its turn.
  void append() {
    Stream& stream = streams_[next_];
    next_ = (next_ + 1) % streams_.size();
    stream.log->append(++stream.newest, budget_.hold(std::string(kEventBytes, 'x')),
                       mcp::EventKind::kMessage);
  }

  // Some events of some stream, which are seldom in the processor's caches: however many streams
  // there are, all that is held is asked for equally often.
  mcp::EventsAfter replay() {
    const Stream& stream = streams_[random_() % streams_.size()];
    const std::uint64_t back = kReplayed + random_() % (held_per_stream_ - kReplayed);
    return stream.log->events_after(stream.newest - back, kReplayed, kNoLimit);
  }

 private:
  struct Stream {
    mcp::StreamLog* log = nullptr;
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
    if (after.events.size() != kReplayed) state.SkipWithError("a replay is not whole");
    benchmark::DoNotOptimize(after.events.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kReplayed));
}

// Shows the usual table, and keeps the medians.
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
