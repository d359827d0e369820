#include "server/agent_config.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::SizeIs;

ConfigText file(std::string text) {
  return {.name = "oriel.toml", .text = std::move(text)};
}

AgentSpec agent_in(std::string text) {
  auto config = parse_agent_config(file(std::move(text)));
  if (!config) throw std::runtime_error(config.error().message);
  return config->agents.at(0);
}

TEST(AgentConfig, ReadsAllKeysOfASection) {
  const AgentSpec spec = agent_in(R"(
[agents.mine]
adapter = "droid"
command = ["mine", "--fast"]
env = { KEY = "value" }
pass_env = ["PROXY"]
sandbox = "podman"
sandbox_command = ["podman", "--log-level=error"]
unsafe_sandbox_options = ["--userns=host"]
network = ["api.example.com:443", "[::1]:80"]
home_paths = [".mine/", ".mine.json"]
sandbox_read = ["/srv/data"]
sandbox_write = ["/srv/cache"]
max_processes = 100
max_memory = "4GiB"
allow_oriel = true
image = "agent:1"
home = "/home/agent"
permissions = "allow"
node_labels = ["gpu"]
model = "m"
auth_method = "key"
)");
  EXPECT_EQ(spec.name, "mine");
  EXPECT_EQ(spec.adapter, AdapterKind::kDroid);
  EXPECT_THAT(spec.command, ElementsAre("mine", "--fast"));
  EXPECT_THAT(spec.env, ElementsAre(Pair("KEY", "value")));
  EXPECT_THAT(spec.pass_env, ElementsAre("PROXY"));
  EXPECT_EQ(spec.sandbox, SandboxKind::kPodman);
  EXPECT_THAT(spec.sandbox_command, ElementsAre("podman", "--log-level=error"));
  EXPECT_THAT(spec.unsafe_sandbox_options, ElementsAre("--userns=host"));
  EXPECT_EQ(spec.network.kind, NetworkKind::kList);
  EXPECT_THAT(spec.network.allowed,
              ElementsAre(HostPort{"api.example.com", 443}, HostPort{"::1", 80}));
  EXPECT_THAT(spec.home_paths, ElementsAre(".mine/", ".mine.json"));
  EXPECT_THAT(spec.sandbox_read, ElementsAre("/srv/data"));
  EXPECT_THAT(spec.sandbox_write, ElementsAre("/srv/cache"));
  EXPECT_EQ(spec.max_processes, 100U);
  EXPECT_EQ(spec.max_memory, 4ULL << 30);
  EXPECT_TRUE(spec.allow_oriel);
  EXPECT_EQ(spec.image, "agent:1");
  EXPECT_EQ(spec.home, "/home/agent");
  EXPECT_EQ(spec.permissions, PermissionMode::kAllow);
  EXPECT_THAT(spec.node_labels, ElementsAre("gpu"));
  EXPECT_EQ(spec.model, "m");
  EXPECT_EQ(spec.auth_method, "key");
}

TEST(AgentConfig, ASectionOfABuiltInAgentOverridesSingleKeys) {
  const AgentSpec spec = agent_in("[agents.gemini]\npermissions = 'deny'\n");
  EXPECT_THAT(spec.command, ElementsAre("gemini", "--acp"));
  EXPECT_EQ(spec.auth_method, "gemini-api-key");
  EXPECT_EQ(spec.permissions, PermissionMode::kDeny);
}

TEST(AgentConfig, TheProgramDeterminesTheAdapter) {
  EXPECT_EQ(agent_in("[agents.a]\ncommand = ['/opt/bin/claude']\n").adapter, AdapterKind::kClaude);
  EXPECT_EQ(agent_in("[agents.a]\ncommand = ['other']\n").adapter, AdapterKind::kAcp);
}

TEST(AgentConfig, ReadsProjects) {
  const auto config = parse_agent_config(
      file("[projects.web]\nworkspace = '/srv/web'\nagent = 'droid'\n[projects.lib]\n"
           "repository = 'https://example.org/lib.git'\n"));
  ASSERT_TRUE(config);
  ASSERT_THAT(config->projects, SizeIs(2));
  EXPECT_EQ(config->projects[0].id, "lib");
  EXPECT_EQ(config->projects[0].repository, "https://example.org/lib.git");
  EXPECT_EQ(config->projects[1].workspace, "/srv/web");
  EXPECT_EQ(config->projects[1].agent, "droid");
}

TEST(AgentConfig, AProjectCanPushItsWorkspaces) {
  const auto config = parse_agent_config(
      file("[projects.web]\nsync = 'git'\nremote = 'https://example.org/s.git'\n"));
  ASSERT_TRUE(config);
  EXPECT_EQ(config->projects.at(0).sync_remote, "https://example.org/s.git");
}

std::vector<std::string> agents_of_project(const std::string& lines) {
  const auto config = parse_agent_config(file("[projects.web]\n" + lines));
  if (!config) return {config.error().message};
  const ProjectSpec& project = config->projects.at(0);
  std::vector<std::string> names = {project.agent};
  names.insert(names.end(), project.agents.begin(), project.agents.end());
  return names;
}

TEST(AgentConfig, AProjectsAgentIsTheOnlyOneThatTokensMayChooseUnlessItListsMore) {
  EXPECT_THAT(agents_of_project(""), ElementsAre(""));
  EXPECT_THAT(agents_of_project("agent = 'droid'\n"), ElementsAre("droid", "droid"));
  EXPECT_THAT(agents_of_project("agent = 'droid'\nagents = ['claude', 'droid']\n"),
              ElementsAre("droid", "claude", "droid"));
  EXPECT_THAT(agents_of_project("agents = ['claude', 'droid']\n"),
              ElementsAre("claude", "claude", "droid"));
}

TEST(AgentConfig, AgentsAreRedactedUnlessConfiguredOtherwise) {
  EXPECT_TRUE(agent_in("[agents.a]\ncommand = ['x']\n").redact);
  EXPECT_FALSE(agent_in("[agents.a]\ncommand = ['x']\nredact = false\n").redact);
}

TEST(AgentConfig, ReadsPatternsOfSecrets) {
  const auto config =
      parse_agent_config(file("[redact]\npatterns = { corp = 'corp-[0-9a-f]{8}' }\n"));
  ASSERT_TRUE(config);
  EXPECT_THAT(config->patterns,
              ElementsAre(SecretPattern{.name = "corp", .expression = "corp-[0-9a-f]{8}"}));
}

TEST(AgentConfig, ErrorsNameTheirLine) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"[agents.a]\ncomand = ['x']\n", "line 2, key agents.a.comand"},
      {"[agents.a]\n", "has no command"},
      {"[agents.a]\ncommand = []\n", "has no command"},
      {"[agents.a]\ncommand = 'x'\n", "not a list of strings"},
      {"[agents.a]\ncommand = ['x', 1]\n", "not a list of strings"},
      {"[agents.a]\ncommand = ['x']\nadapter = 'telnet'\n", "\"telnet\" is not droid, acp"},
      {"[agents.a]\ncommand = ['x']\nsandbox = 'jail'\n", "\"jail\""},
      {"[agents.a]\ncommand = ['x']\nsandbox = 'docker'\n", "needs an image"},
      {"[agents.a]\ncommand = ['x']\nhome = '~/agent'\n", "not absolute"},
      {"[agents.a]\ncommand = ['x']\nenv = { A = 1 }\n", "A is not a string"},
      {"[agents.'a b']\ncommand = ['x']\n", "\"a b\" is not a name"},
      {"agents = 1\n", "agents is a section"},
      {"[agents]\na = 1\n", "agents.a is a section"},
      {"[projects.p]\nworkspace = 'here'\n", "not absolute"},
      {"[projects.p]\nworkspace = '/a'\nrepository = '/b'\n", "a workspace and a repository"},
      {"[projects.p]\nagnt = 'x'\n", "no such key"},
      {"[projects.p]\nsync = 'git'\n", "sync needs a remote"},
      {"[projects.p]\nsync = 'rsync'\nremote = '/r'\n", "\"rsync\" is not git"},
      {"[projects.p]\nremote = '/r'\n", "remote needs sync"},
      {"[projects.p]\nsync = 'git'\nremote = '/r'\nworkspace = '/a'\n", "one of its own"},
      {"[projects.p]\nagents = 'x'\n", "not a list of strings"},
      {"[projects.p]\nagents = []\n", "agents: it is empty"},
      {"[projects.p]\nagent = 'x'\nagents = ['y']\n", "\"x\" is not one of its agents"},
      {"[agents.a]\ncommand = ['x']\nredact = 'no'\n", "not true or false"},
      {"redact = 1\n", "redact is a section"},
      {"[redact]\npattern = {}\n", "no such key"},
      {"[redact]\npatterns = { a = '(' }\n", "not a regular expression"},
      {"[redact]\npatterns = { a = 'x*' }\n", "matches the empty text"},
  };
  for (const auto& [text, named] : wrong) {
    const auto config = parse_agent_config(file(text));
    ASSERT_FALSE(config) << text;
    EXPECT_THAT(config.error().message, HasSubstr(named)) << text;
    EXPECT_THAT(config.error().message, HasSubstr("oriel.toml line ")) << text;
  }
}

TEST(AgentFlag, NamesAgentsAndSplitsTheirCommands) {
  const auto agents = parse_agent_flag("mine=my-agent --acp 'two words' \"\";droid=/opt/droid");
  ASSERT_TRUE(agents);
  ASSERT_THAT(*agents, SizeIs(2));
  EXPECT_THAT((*agents)[0].command, ElementsAre("my-agent", "--acp", "two words", ""));
  EXPECT_EQ((*agents)[0].adapter, AdapterKind::kAcp);
  EXPECT_THAT((*agents)[1].command, ElementsAre("/opt/droid"));
  EXPECT_EQ((*agents)[1].adapter, AdapterKind::kDroid);
}

TEST(AgentFlag, RejectsOtherText) {
  for (const char* text : {"mine", "=x", "a b=x", "mine=", "mine='x", "mine=x;other"}) {
    EXPECT_FALSE(parse_agent_flag(text)) << text;
  }
}

TEST(MergeAgents, NewOnesReplaceOldOnesAndComeFirst) {
  AgentSpec old_a;
  old_a.name = "a";
  AgentSpec b;
  b.name = "b";
  AgentSpec new_a = old_a;
  new_a.model = "new";
  const auto merged = merge_agents({b, old_a}, {new_a});
  ASSERT_THAT(merged, SizeIs(2));
  EXPECT_EQ(merged[0].model, "new");
  EXPECT_EQ(merged[1].name, "b");
}

TEST(AgentConfig, ANetworkIsAWordOrAList) {
  const auto network = [](const std::string& value) {
    return agent_in("[agents.droid]\nsandbox = 'bubblewrap'\nnetwork = " + value).network;
  };
  EXPECT_EQ(network("'full'").kind, NetworkKind::kFull);
  EXPECT_EQ(network("'none'").kind, NetworkKind::kNone);
  EXPECT_EQ(network("[]").kind, NetworkKind::kList);
  EXPECT_EQ(agent_in("[agents.droid]\nsandbox = 'bubblewrap'").network.kind, NetworkKind::kFull);
}

TEST(AgentConfig, ASandboxThatWouldNotHoldIsRefused) {
  const auto problem = [](const std::string& keys) {
    const auto config = parse_agent_config(file("[agents.droid]\n" + keys));
    return config ? "" : config.error().message;
  };
  EXPECT_THAT(problem("sandbox = 'bubblewrap'\nnetwork = 'some'"), HasSubstr("is not full, none"));
  EXPECT_THAT(problem("sandbox = 'bubblewrap'\nnetwork = 1"), HasSubstr("neither a string nor"));
  EXPECT_THAT(problem("sandbox = 'bubblewrap'\nnetwork = ['host']"), HasSubstr("is not HOST:PORT"));
  EXPECT_THAT(problem("sandbox = 'bubblewrap'\nnetwork = [1]"), HasSubstr("not a string"));
  EXPECT_THAT(problem("network = 'none'"), HasSubstr("network needs a sandbox"));
  EXPECT_THAT(problem("allow_oriel = true"), HasSubstr("allow_oriel needs a sandbox"));
  EXPECT_THAT(problem("sandbox_read = ['data']"), HasSubstr("is not absolute"));
  for (const char* path : {"", ".", "./", "..", "../other", "/etc", "a/../.."})
    EXPECT_THAT(problem("home_paths = ['" + std::string(path) + "']"), HasSubstr("not below"))
        << path;
  EXPECT_THAT(problem("max_processes = -1"), HasSubstr("not a whole number"));
  for (const char* size : {"'4GB'", "-1", "1.5", "''", "true"})
    EXPECT_THAT(problem("max_memory = " + std::string(size)), HasSubstr("is not a size")) << size;
  EXPECT_THAT(problem("sandbox_options = []"), HasSubstr("no such key"));
}

}  // namespace
}  // namespace oriel
