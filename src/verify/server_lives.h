#pragma once
// Starts the verified server again and again, and ends each of its lives as the schedule says.

#include "verify/fault_log.h"
#include "verify/fault_schedule.h"
#include "verify/faulty_proxy.h"
#include "verify/tested_server.h"
#include "verify/verdicts.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct LifeCounts {
  std::uint64_t started = 0;
  std::uint64_t killed = 0;
  std::uint64_t stopped = 0;
  std::vector<std::string> crashed_at;   // failpoints
  std::vector<std::string> not_reached;  // failpoints
};

struct LivesOptions {
  TestedServerOptions server;
  std::string mutants;  // for ORIEL_FAILPOINTS, in all lives
};

// Lives on one shard. The proxy's target is the running server.
class ServerLives {
 public:
  // The server has this long to stop.
  static constexpr std::chrono::milliseconds kStopLimit{11'000};

  // Notes each start and end in the log.
  ServerLives(asio::any_io_executor shard, LivesOptions options, FaultyProxy& proxy, FaultLog& log);

  // One life, from its start to its end.
  asio::awaitable<void> live(Life life);

  // A life without faults, until stop(). False if the server does not start.
  asio::awaitable<bool> start();
  asio::awaitable<void> stop();

  // A start has failed: more of them are of no use.
  bool is_hopeless() const { return is_hopeless_; }

  std::uint16_t port() const { return server_.port(); }

  const LifeCounts& counts() const { return counts_; }

  const std::vector<ServerEnd>& ends() const { return ends_; }

  const std::vector<std::uint64_t>& peaks() const { return peaks_; }

 private:
  asio::awaitable<bool> begin(std::string failpoint);
  asio::awaitable<ExitStatus> kill();
  asio::awaitable<ExitStatus> terminate();
  void end_by_itself(const Life& life, const ExitStatus& exit);
  void note(std::string_view what, const Life& life);

  asio::any_io_executor shard_;
  LivesOptions options_;
  FaultyProxy& proxy_;
  FaultLog& log_;
  TestedServer server_;
  bool is_hopeless_ = false;
  LifeCounts counts_;
  std::vector<ServerEnd> ends_;
  std::vector<std::uint64_t> peaks_;
};

// "commit.before:3"; empty without a failpoint.
std::string failpoint_setting(const Life& life);

}  // namespace oriel
