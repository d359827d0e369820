// What a very long line of an agent, and a long answer, cost.

#include "hosted_fixture.h"
#include "session_client.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace oriel {
namespace {

constexpr std::int64_t kLineKib = 40 << 10;

// A number of /proc/PID/status, in KiB.
std::int64_t status_kib(const ServerProcess& server, const std::string& name) {
  std::ifstream file("/proc/" + std::to_string(server.pid()) + "/status");
  std::string key;
  std::int64_t value = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    if (words >> key >> value && key == name + ":") return value;
  }
  throw std::runtime_error("no " + name + " in /proc/PID/status");
}

// Sanitizers reserve terabytes.
bool is_sanitized(const ServerProcess& server) {
  return status_kib(server, "VmSize") > std::int64_t{1} << 30;
}

bool has_rested(const SessionClient& session) {
  return string_of(session.state(), "state") == "complete";
}

TEST(LongLine, TakesAFewTimesItsMemoryWhileAnotherSessionWorks) {
  HostedFixture fixture({"--threads", "1"}, "redact = false\n");
  SessionClient large(fixture.server(), fixture.request());
  SessionClient small(fixture.server(), fixture.request());
  large.task("help");
  small.task("help");
  const std::int64_t before = status_kib(fixture.server(), "VmHWM");

  large.send("longline " + std::to_string(kLineKib << 10));
  small.task("help");
  EXPECT_FALSE(has_rested(large)) << "the small task was done first";
  ASSERT_TRUE(eventually([&] { return has_rested(large); }, kAgentPatience));
  if (is_sanitized(fixture.server())) GTEST_SKIP() << "a sanitizer takes memory of its own";
  EXPECT_LT(status_kib(fixture.server(), "VmHWM") - before, 6 * kLineKib);
}

std::uint64_t stored_bytes(const std::filesystem::path& directory) {
  std::uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory))
    if (entry.is_regular_file()) bytes += entry.file_size();
  return bytes;
}

TEST(LongAnswer, TakesAtMostFourTimesItsSizeInTheDataDirectory) {
  constexpr std::uint64_t kAnswerBytes = 12 << 20;
  HostedFixture fixture({}, "redact = false\n");
  SessionClient session(fixture.server(), fixture.request());
  session.send("longline " + std::to_string(kAnswerBytes));
  ASSERT_TRUE(eventually([&] { return has_rested(session); }, kAgentPatience));
  fixture.server().signal(SIGTERM);
  ASSERT_TRUE(fixture.server().wait_exit(kPatience));
  EXPECT_LT(stored_bytes(fixture.data()), 4 * kAnswerBytes);
}

}  // namespace
}  // namespace oriel
