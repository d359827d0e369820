// `oriel verify` finds nothing wrong with a sound server, and what is wrong with broken ones.

#include "child_process.h"
#include "http_call.h"
#include "server_process.h"
#include "temp_dir.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value_to.hpp>
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::Contains;
using testing::HasSubstr;
using testing::IsSupersetOf;

constexpr Milliseconds kVerifyPatience{290'000};

struct Verification {
  int exit_code = -1;
  std::string text;
  json::object report;

  std::vector<std::string> broken() const {
    std::vector<std::string> names;
    for (const json::value& promise : report.at("promises").as_array()) {
      if (!promise.at("is_kept").as_bool()) names.emplace_back(promise.at("promise").as_string());
    }
    return names;
  }

  std::vector<std::string> server(std::string_view key) const {
    return json::value_to<std::vector<std::string>>(report.at("server").at(key));
  }
};

// Sanitizers need more memory than the product.
Verification verify(std::vector<std::string> flags) {
  const TempDir directory;
  const std::string file = directory.path() / "report.json";
  flags.insert(flags.begin(), {"verify", "--memory-limit", "4GiB", "--json", file, "--dir",
                               directory.path() / "server"});
  TestProcess process(oriel_command(std::move(flags)));
  Verification done{.exit_code = process.wait_exit(kVerifyPatience).value_or(-1),
                    .text = process.out() + process.err(),
                    .report = {}};
  std::ifstream in(file);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  if (text.empty()) throw std::runtime_error("no report: " + done.text);
  done.report = json::parse(text).as_object();
  return done;
}

std::vector<std::string> failpoints() {
  std::istringstream lines(run_oriel({"verify", "--list-failpoints"}).out);
  std::vector<std::string> names;
  for (std::string name; lines >> name;) {
    if (!name.starts_with("mutant.")) names.push_back(name);
  }
  return names;
}

struct LoggedFaults {
  std::int64_t starts = 0;
  std::int64_t cuts = 0;
  std::int64_t of_cluster = 0;
};

LoggedFaults read_faults(const std::string& file) {
  LoggedFaults faults;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const json::object fault = json::parse(line).as_object();
    if (fault.contains("life") && fault.at("event") == "start") ++faults.starts;
    if (fault.contains("cluster_fault")) ++faults.of_cluster;
    if (fault.contains("connection") && fault.at("fault") == "cut") ++faults.cuts;
  }
  return faults;
}

TEST(Verify, ASoundServerKeepsItsPromisesThoughItCrashesAtEveryFailpoint) {
  const TempDir directory;
  const std::string log = directory.path() / "faults";
  const Verification done = verify({"--seconds", "20", "--seed", "1", "--log", log});
  EXPECT_EQ(done.exit_code, 0) << done.text;
  EXPECT_EQ(done.broken(), std::vector<std::string>{}) << done.text;
  EXPECT_GT(failpoints().size(), 10u);
  EXPECT_THAT(done.server("crashed_at"), IsSupersetOf(failpoints())) << done.text;
  const LoggedFaults logged = read_faults(log);
  EXPECT_EQ(logged.starts, done.report.at("server").at("started").as_int64());
  EXPECT_GE(logged.cuts, done.report.at("connections").at("cut").as_int64());
}

TEST(Verify, ARunningServerIsVerifiedAndGoesOn) {
  ServerProcess server;
  const Verification done = verify({"--seconds", "3", "--url", server.url()});
  EXPECT_EQ(done.exit_code, 0) << done.text;
  EXPECT_EQ(done.broken(), std::vector<std::string>{}) << done.text;
  const json::object& connections = done.report.at("connections").as_object();
  EXPECT_GT(connections.at("cut").as_int64(), 0) << done.text;
  EXPECT_EQ(get(server, "/health").json().at("status"), "ok");
}

TEST(Verify, AnEventThatIsAcknowledgedBeforeItsCommitIsFound) {
  const Verification done = verify({"--seconds", "6", "--mutant", "mutant.acknowledge_early"});
  EXPECT_EQ(done.exit_code, 1) << done.text;
  EXPECT_THAT(done.broken(), Contains("no_acknowledged_loss")) << done.text;
}

TEST(Verify, AReplayThatReadsBeyondItsBoundIsFound) {
  const Verification done = verify({"--seconds", "6", "--mutant", "mutant.replay_without_bound"});
  EXPECT_EQ(done.exit_code, 1) << done.text;
  EXPECT_THAT(done.broken(), Contains("exactly_once")) << done.text;
}

TEST(Verify, AGapThatIsNotAnnouncedIsFound) {
  const Verification done = verify({"--only", "gaps_announced", "--mutant", "mutant.forget_gap"});
  EXPECT_EQ(done.exit_code, 1) << done.text;
  EXPECT_THAT(done.broken(), Contains("gaps_announced")) << done.text;
}

TEST(R_CLUSTER_2, AClusterKeepsItsPromisesThoughNodesAndNatsAreKilledAndFrozen) {
  const TempDir directory;
  const std::string log = directory.path() / "faults";
  const Verification done = verify({"--cluster", "--seconds", "1", "--seed", "1", "--log", log});
  EXPECT_EQ(done.exit_code, 0) << done.text;
  EXPECT_EQ(done.broken(), std::vector<std::string>{}) << done.text;
  const json::object& cluster = done.report.at("cluster").as_object();
  EXPECT_EQ(cluster.at("nodes").as_int64(), 3);
  std::int64_t faults = 0;
  for (const auto& [kind, times] : cluster.at("faults").as_object()) {
    EXPECT_GT(times.as_int64(), 0) << kind;
    faults += times.as_int64();
  }
  EXPECT_EQ(read_faults(log).of_cluster, faults);
}

TEST(R_CLUSTER_2, AnEntryOfAClusterThatIsStoredTwiceIsFound) {
  // The first fault of this seed freezes the NATS server, so that its nodes repeat themselves.
  const Verification done = verify(
      {"--cluster", "--seconds", "10", "--seed", "3", "--mutant", "mutant.store_repetitions"});
  EXPECT_EQ(done.exit_code, 1) << done.text;
  EXPECT_THAT(done.broken(), Contains("no_acknowledged_loss")) << done.text;
}

TEST(R_CLUSTER_7, AClusterIsNotVerifiedWithoutANatsServer) {
  const TempDir empty;
  Command command = oriel_command({"verify", "--cluster", "--dir", empty.path() / "files"});
  command.environment = {{"PATH", empty.path()}};
  const Finished done = run(command);
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_THAT(done.err, HasSubstr("a cluster needs nats-server")) << done.err;
}

}  // namespace
}  // namespace oriel
