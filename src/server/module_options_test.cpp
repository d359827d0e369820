#include "server/module_options.h"

#include "base/temp_directory_testing.h"
#include "server/usage_error.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::Contains;
using testing::HasSubstr;

class ModuleOptions : public testing::Test {
 protected:
  ModuleOptions() { options_.data_dir = directory_.path(); }

  SupervisorOptions supervisor() { return supervisor_options(options_, tokens_); }

  // Why these options cannot be used; empty: they can.
  std::string supervisor_problem() {
    try {
      supervisor();
      return "";
    } catch (const UsageError& error) {
      return error.what();
    }
  }

  std::string listen_problem(bool has_token) const {
    try {
      listen_endpoint(options_, has_token);
      return "";
    } catch (const UsageError& error) {
      return error.what();
    }
  }

  AgentSpec& add_agent(const std::string& name) {
    AgentSpec& spec = options_.agents.emplace_back();
    spec.name = name;
    return spec;
  }

  TempDirectory directory_;
  ServeOptions options_;
  SessionTokens tokens_;
};

TEST_F(ModuleOptions, OnePrincipalHasHalfOfTheWatchersUnlessAFlagSaysOtherwise) {
  options_.max_sse_clients = 7;
  EXPECT_EQ(feed_options(options_).clients.per_principal, 3U);
  options_.max_sse_clients = 1;
  EXPECT_EQ(feed_options(options_).clients.per_principal, 1U);
  options_.max_sse_clients_per_principal = 5;
  EXPECT_EQ(feed_options(options_).clients.per_principal, 5U);
}

TEST_F(ModuleOptions, OnlySqliteReservesDiskSpace) {
  options_.reserve_bytes = 100;
  EXPECT_EQ(reserve_bytes(options_), 100U);
  options_.store = StoreKind::kMemory;
  EXPECT_EQ(reserve_bytes(options_), 0U);
}

TEST_F(ModuleOptions, TheDefaultAgentIsTheFirstConfiguredOneElseTheDemo) {
  EXPECT_EQ(supervisor().default_agent, "demo");
  add_agent("mine");
  add_agent("other");
  EXPECT_EQ(supervisor().default_agent, "mine");
  options_.default_agent = "other";
  EXPECT_EQ(supervisor().default_agent, "other");
}

TEST_F(ModuleOptions, AnUnknownDefaultAgentIsRejectedWithTheRemedy) {
  options_.default_agent = "absent";
  EXPECT_EQ(supervisor_problem(),
            "--default-agent: unknown agent 'absent'; add [agents.absent] to oriel.toml");
}

TEST_F(ModuleOptions, SharedWorkspacesAreMadeInADirectoryThatExists) {
  EXPECT_FALSE(supervisor().cluster.has_shared_workspaces);
  EXPECT_EQ(supervisor().sandbox.workspaces, directory_ / "workspaces");
  options_.shared_workspaces = directory_ / "link";
  EXPECT_THAT(supervisor_problem(), HasSubstr("--shared-workspaces"));
  std::filesystem::create_directory(directory_ / "shared");
  std::filesystem::create_symlink(directory_ / "shared", directory_ / "link");
  EXPECT_TRUE(supervisor().cluster.has_shared_workspaces);
  EXPECT_EQ(supervisor().sandbox.workspaces, directory_ / "shared");
  EXPECT_THAT(supervisor().sandbox.hidden, Contains(directory_ / "shared"));
}

TEST_F(ModuleOptions, AnAgentReachesOrielOnlyWhereItListens) {
  add_agent("mine").allow_oriel = true;
  for (const char* const reachable : {"127.0.0.1", "0.0.0.0", "::"}) {
    options_.listen_host = reachable;
    EXPECT_EQ(supervisor_problem(), "") << reachable;
  }
  options_.listen_host = "::1";
  EXPECT_EQ(supervisor_problem(),
            "--listen ::1: [agents.mine] allow_oriel needs 127.0.0.1 or all addresses");
}

TEST_F(ModuleOptions, OtherMachinesAreServedOnlyWithAToken) {
  EXPECT_EQ(listen_problem(false), "");
  options_.listen_host = "0.0.0.0";
  EXPECT_THAT(listen_problem(false), HasSubstr("oriel token create NAME"));
  EXPECT_EQ(listen_problem(true), "");
}

TEST_F(ModuleOptions, APublicUrlNeedsAToken) {
  options_.public_url = "https://oriel.example.org";
  EXPECT_THAT(listen_problem(false), HasSubstr("--public-url https://oriel.example.org"));
  EXPECT_EQ(listen_problem(true), "");
}

TEST_F(ModuleOptions, TheListenerHasTheAddressAndThePort) {
  options_.listen_host = "::1";
  options_.listen_port = 80;
  const auto endpoint = listen_endpoint(options_, false);
  EXPECT_EQ(endpoint.address().to_string(), "::1");
  EXPECT_EQ(endpoint.port(), 80);
}

TEST_F(ModuleOptions, AnObserverLooksFourTimesDuringASilence) {
  options_.observed_silence = std::chrono::seconds(8);
  EXPECT_EQ(supervisor().observer.agent.tick_every, std::chrono::seconds(2));
  options_.observed_silence = std::chrono::milliseconds(10);
  EXPECT_EQ(supervisor().observer.agent.tick_every, std::chrono::milliseconds(10));
  options_.observed_silence = std::chrono::hours(1);
  EXPECT_EQ(supervisor().observer.agent.tick_every, std::chrono::seconds(5));
}

}  // namespace
}  // namespace oriel
