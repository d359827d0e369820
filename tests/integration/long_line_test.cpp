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
  HostedFixture fixture({"--threads", "1"});
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
  EXPECT_LT(status_kib(fixture.server(), "VmHWM") - before, 4 * kLineKib);
}

std::uint64_t stored_bytes(const std::filesystem::path& directory) {
  std::uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory))
    if (entry.is_regular_file()) bytes += entry.file_size();
  return bytes;
}

TEST(LongAnswer, TakesAtMostFourTimesItsSizeInTheDataDirectory) {
  constexpr std::uint64_t kAnswerBytes = 12 << 20;
  HostedFixture fixture;
  SessionClient session(fixture.server(), fixture.request());
  session.send("longline " + std::to_string(kAnswerBytes));
  ASSERT_TRUE(eventually([&] { return has_rested(session); }, kAgentPatience));
  fixture.server().signal(SIGTERM);
  ASSERT_TRUE(fixture.server().wait_exit(kPatience));
  EXPECT_LT(stored_bytes(fixture.data()), 4 * kAnswerBytes);
}

// An ACP agent that answers with the lines of a file, as fast as they are read.
constexpr std::string_view kLineReader = R"sh(
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  result='{}'
  case $line in
    *'"initialize"'*) result='{"protocolVersion":1,"agentCapabilities":{}}' ;;
    *'"session/new"'*) result='{"sessionId":"s"}' ;;
    *'"session/prompt"'*) cat "$1"; result='{"stopReason":"end_turn"}' ;;
  esac
  [ -z "$id" ] || printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
)sh";

std::string chunk_line(std::string_view text) {
  return R"({"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":)"
         R"({"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":")" +
         std::string(text) + "\"}}}}\n";
}

// A server with this agent beside the demo agent.
class ReaderFixture {
 public:
  explicit ReaderFixture(const std::string& lines, std::vector<std::string> flags = {})
      : fixture_(std::move(flags), agent(lines)), session_(fixture_.server(), request()) {}

  SessionClient& session() { return session_; }

  HostedFixture& hosted() { return fixture_; }

 private:
  std::string agent(const std::string& lines) const {
    write_file(files_.path() / "reader", kLineReader);
    write_file(files_.path() / "answer", lines);
    return "[agents.reader]\ncommand = [\"/bin/sh\", \"" + (files_.path() / "reader").string() +
           "\", \"" + (files_.path() / "answer").string() + "\"]\n";
  }

  boost::json::object request() const {
    boost::json::object request = fixture_.request();
    request["agent"] = "reader";
    return request;
  }

  TempDir files_;
  HostedFixture fixture_;
  SessionClient session_;
};

TEST(LongAnswer, OfShortPiecesTakesAtMostFourTimesItsSizeInTheDataDirectory) {
  constexpr std::size_t kPieces = 50'000;
  const std::string piece(40, 'x');
  std::string lines;
  for (std::size_t i = 0; i < kPieces; ++i)
    lines += chunk_line(piece);
  ReaderFixture fixture(lines, {"--max-event-rate", "50000"});
  EXPECT_EQ(final_answer(fixture.session().task("go")).size(), kPieces * piece.size());
  ServerProcess& server = fixture.hosted().server();
  server.signal(SIGTERM);
  ASSERT_TRUE(server.wait_exit(kPatience));
  EXPECT_LT(stored_bytes(fixture.hosted().data()), 4 * kPieces * piece.size());
}

TEST(R_TRUTH_3, SecretsInLongLinesAreMaskedInOrder) {
  const std::string secret = std::string("ghp") + "_7" + std::string(35, 'a');
  const std::string text = std::string(400'000, 'x') + " " + secret + " ";
  ReaderFixture fixture(chunk_line("first ") + chunk_line(text) + chunk_line(text) +
                        chunk_line("last"));
  const Events events = fixture.session().task("go");
  std::string pieces;
  for (const Event& event : of_type(events, "delta"))
    pieces += string_of(event, "text");
  for (const std::string& shown : {pieces, final_answer(events)}) {
    EXPECT_EQ(shown.find(secret), std::string::npos);
    EXPECT_NE(shown.find("[redacted:"), std::string::npos);
    EXPECT_TRUE(shown.starts_with("first x"));
    EXPECT_TRUE(shown.ends_with(" last"));
  }
}

}  // namespace
}  // namespace oriel
