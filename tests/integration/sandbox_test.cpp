// The whole server with an agent that tries to get out of its sandbox.

#include "hosted_fixture.h"
#include "session_client.h"

#include <gmock/gmock.h>

#include <cstdlib>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Speaks as much of ACP as one prompt needs, and answers it with the attempts that succeeded.
constexpr const char* kEscaper = R"sh(#!/bin/bash
try() { local name=$1; shift; if "$@" >/dev/null 2>&1; then found="$found $name"; fi; }
connects() { (exec 3<>/dev/tcp/127.0.0.1/$1) 2>/dev/null; }
tunnels() {
  exec 3<>/dev/tcp/127.0.0.1/${HTTPS_PROXY##*:}
  printf 'CONNECT 127.0.0.1:%s HTTP/1.1\r\n\r\n' "$1" >&3
  read -r version status rest <&3
  test "$status" = 200
}
say() { printf '%s\n' "$1"; }
read -r line
say '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{}}}'
read -r line
say '{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s1"}}'
read -r line
[[ $line =~ PORT=([0-9]+) ]] && port=${BASH_REMATCH[1]}
[[ $line =~ DATA=([^\"]+) ]] && data=${BASH_REMATCH[1]%% *}
try private cat $data/private
try journal cat $data/journal.db
try others ls $data/workspaces/other
try config cat $data/../oriel.toml
try workspace touch made
try port connects $port
try tunnel tunnels $port
say '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"found:'"$found"'"}}}}'
say '{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}'
cat >/dev/null
)sh";

// Asks Oriel for its own session (SESSION) and another one (OTHER), and answers with the statuses.
constexpr const char* kReader = R"sh(#!/bin/bash
status() {  # METHOD PATH HEADER
  exec 3<>/dev/tcp/127.0.0.1/${ORIEL_URL##*:}
  printf '%s /api/sessions/%s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n%bContent-Length: 0\r\n\r\n' "$1" "$2" "$3" >&3
  read -r version code rest <&3
  exec 3>&-
  found="$found $code"
}
say() { printf '%s\n' "$1"; }
read -r line
say '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{}}}'
read -r line
say '{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s1"}}'
read -r line
[[ $line =~ SESSION=([a-zA-Z0-9_]+) ]] && own=${BASH_REMATCH[1]}
[[ $line =~ OTHER=([a-zA-Z0-9_]+) ]] && other=${BASH_REMATCH[1]}
header="Authorization: Bearer $ORIEL_TOKEN\r\n"
status GET $own ''
status GET $own "$header"
status GET $own/events "$header"
status GET $other "$header"
status POST $own/permissions/per_1 "$header"
status POST $own/messages "$header"
say '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"found:'"$found"' with '"$ORIEL_TOKEN"' ."}}}}'
say '{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}'
cat >/dev/null
)sh";

class SandboxedServer : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("bwrap --unshare-user --disable-userns --unshare-net --unshare-pid --ro-bind / "
                    "/ true 2>/dev/null") != 0)
      GTEST_SKIP() << "bubblewrap is not installed, or the kernel forbids it";
    const std::string command = command_of("escaper", kEscaper);
    const std::string repository = dir_.path() / "repository";
    fs::create_directory(repository);
    write_file(dir_.path() / "oriel.toml",
               "[agents.free]\n" + command + "[agents.confined]\n" + command +
                   "sandbox = \"bubblewrap\"\n[agents.reader]\n" + command_of("reader", kReader) +
                   "sandbox = \"bubblewrap\"\nnetwork = \"none\"\nallow_oriel = true\n"
                   "[projects.shop]\nrepository = \"" +
                   repository + "\"\n");
    fs::create_directories(dir_.path() / "data/workspaces/other");
    write_file(dir_.path() / "data/private", "secret");
    server_ = std::make_unique<ServerProcess>(
        std::vector<std::string>{"--config", dir_.path() / "oriel.toml"}, dir_.path() / "data");
    const std::string make = "cd " + repository +
                             " && git init --quiet && git -c user.name=a -c user.email=a@b commit "
                             "--quiet --allow-empty --message first";
    ASSERT_EQ(std::system(make.c_str()), 0);
  }

  // The key of an agent that is this script.
  std::string command_of(const std::string& name, const char* script) {
    write_file(dir_.path() / name, script);
    fs::permissions(dir_.path() / name, fs::perms::owner_all);
    return "command = [\"" + (dir_.path() / name).string() + "\"]\n";
  }

  // What the agent found.
  std::string answer_of(const std::string& agent) {
    SessionClient session(*server_, boost::json::object{{"agent", agent}});
    return final_answer(session.task("PORT=" + std::to_string(server_->port()) +
                                     " DATA=" + server_->data_dir().string() + " go"));
  }

  TempDir dir_;
  std::unique_ptr<ServerProcess> server_;
};

class R_SANDBOX_1 : public SandboxedServer {};

using R_SANDBOX_2 = SandboxedServer;

TEST_F(R_SANDBOX_2, AnAgentThatMayReachOrielReadsItsOwnSessionAndNothingElse) {
  const SessionClient other(*server_, boost::json::object{{"agent", "free"}});
  SessionClient session(*server_, boost::json::object{{"agent", "reader"}});
  const std::string answer =
      final_answer(session.task("SESSION=" + session.id() + " OTHER=" + other.id() + " go"));
  EXPECT_THAT(answer, StartsWith("found: 401 200 200 404 403 403 with "));
  EXPECT_THAT(answer, HasSubstr("with [redacted:"));
  EXPECT_THAT(answer, Not(HasSubstr("oriel_")));
}

TEST_F(R_SANDBOX_1, AnAgentFindsItsWorkspaceAndNothingOfOriel) {
  EXPECT_THAT(answer_of("free"), HasSubstr("found: private journal others config workspace port"));
  EXPECT_EQ(answer_of("confined"), "found: workspace");
}

TEST_F(R_SANDBOX_1, AProjectsRepositoryIsClonedForIt) {
  for (const auto& [agent, is_clone] : {std::pair("free", false), std::pair("confined", true)}) {
    SessionClient session(*server_, boost::json::object{{"agent", agent}, {"project_id", "shop"}});
    const fs::path workspace = string_of(session.state(), "workspace");
    EXPECT_EQ(fs::is_directory(workspace / ".git"), is_clone) << workspace;
  }
}

}  // namespace
}  // namespace oriel
