#include "cli/commands/doctor.h"

#include "auth/token_store.h"
#include "base/temp_directory_testing.h"
#include "cli/commands/agent_checks.h"
#include "cli/commands/server_checks.h"
#include "client/scripted_server_testing.h"
#include "http/url.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace oriel {
namespace {

namespace fs = std::filesystem;

// Fake programs on their own PATH.
class Doctor : public testing::Test {
 protected:
  void program(const std::string& name, const std::string& script) {
    const fs::path file = directory_ / name;
    std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(file, fs::perms::owner_all);
  }

  std::string path() const { return directory_.path().string(); }

  TempDirectory directory_;
};

AgentSpec agent(const std::string& name) {
  AgentSpec spec;
  spec.name = name;
  spec.command = {name, "--acp"};
  return spec;
}

ServeOptions serve_at(const std::string& url, const fs::path& data_dir) {
  ServeOptions options;
  options.listen_port = http::parse_url(url).value().port;
  options.data_dir = data_dir;
  return options;
}

TEST_F(Doctor, AnAgentThatAnswersIsFine) {
  program("qwen", "echo 0.15.10; echo more");
  const Finding finding = check_agent(agent("qwen"), path());
  EXPECT_EQ(finding.level, FindingLevel::kFine);
  EXPECT_EQ(finding.subject, "agent qwen");
  EXPECT_EQ(finding.message, "0.15.10 (" + path() + "/qwen)");
}

TEST_F(Doctor, AMissingAgentIsANoteWithARemedy) {
  const Finding known = check_agent(agent("codex"), path());
  EXPECT_EQ(known.level, FindingLevel::kNote);
  EXPECT_TRUE(known.remedy.starts_with("npm install -g @openai/codex")) << known.remedy;
  EXPECT_NE(check_agent(agent("mine"), path()).remedy, "");
}

TEST_F(Doctor, AnAgentThatDoesNotKnowVersionIsFine) {
  for (const char* script : {"echo 'unknown option --version' >&2; exit 2", "exit 0"}) {
    program("mine", script);
    const Finding finding = check_agent(agent("mine"), path());
    EXPECT_EQ(finding.level, FindingLevel::kFine) << script;
    EXPECT_EQ(finding.message, path() + "/mine (does not answer --version)");
  }
}

TEST_F(Doctor, AnAgentThatASignalKillsOrThatCannotBeExecutedIsBroken) {
  program("mine", "kill -SEGV $$");
  EXPECT_EQ(check_agent(agent("mine"), path()).level, FindingLevel::kBroken);
  program("mine", "exit 126");
  EXPECT_EQ(check_agent(agent("mine"), path()).level, FindingLevel::kBroken);
  std::ofstream(directory_ / "mine") << "#!/no/such/interpreter\n";
  EXPECT_EQ(check_agent(agent("mine"), path()).level, FindingLevel::kBroken);
}

TEST_F(Doctor, AnAgentWhoseLibrariesAreMissingIsBroken) {
  program("mine", "echo 'no libfoo.so' >&2; exit 127");
  const Finding finding = check_agent(agent("mine"), path());
  EXPECT_EQ(finding.level, FindingLevel::kBroken);
  EXPECT_EQ(finding.message, "--version: " + path() + "/mine ended with code 127: no libfoo.so");
  EXPECT_NE(finding.remedy, "");
}

// The responses of a starting ACP agent.
constexpr const char* kStartingAgent = R"(
read line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{}}}'
read line
echo '{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s1"}}'
cat >/dev/null
)";

TEST_F(Doctor, AnAgentThatStartsIsFine) {
  program("mine", kStartingAgent);
  AgentSpec spec = agent("mine");
  spec.command = {path() + "/mine"};
  const Finding finding = check_start(spec, directory_.path(), std::chrono::seconds(30));
  EXPECT_EQ(finding.level, FindingLevel::kFine) << finding.message;
  EXPECT_EQ(finding.subject, "start mine");
}

TEST_F(Doctor, AnAgentThatDoesNotStartIsBroken) {
  program("dies", "echo 'not logged in' >&2; exit 1");
  program("sleeps", "exec sleep 60");
  AgentSpec spec = agent("mine");
  spec.command = {path() + "/dies"};
  const Finding dead = check_start(spec, directory_.path(), std::chrono::seconds(30));
  EXPECT_EQ(dead.level, FindingLevel::kBroken);
  EXPECT_TRUE(dead.message.starts_with("does not start: it exited with code 1")) << dead.message;
  spec.command = {path() + "/sleeps"};
  const Finding slow = check_start(spec, directory_.path(), std::chrono::milliseconds(50));
  EXPECT_EQ(slow.message, "does not start: not ready within 50ms");
}

TEST_F(Doctor, ShowsWhatAnAgentCouldReach) {
  AgentSpec spec = agent("mine");
  const Environment own{{"HOME", directory_.make("home")}};
  const Finding open = check_reach(spec, own);
  EXPECT_EQ(open.level, FindingLevel::kNote);
  EXPECT_EQ(open.message,
            "no sandbox: everything that you can read, change and connect to, Oriel included");
  EXPECT_EQ(open.remedy, "set [agents.mine] sandbox = \"bubblewrap\"");

  spec.sandbox = SandboxKind::kBubblewrap;
  spec.home_paths = {".mine/", ".missing/"};
  const std::string mine = directory_.make("home/.mine");
  const Finding confined = check_reach(spec, own);
  EXPECT_EQ(confined.level, FindingLevel::kFine);
  EXPECT_TRUE(confined.message.starts_with("bubblewrap: reads /bin /etc")) << confined.message;
  EXPECT_TRUE(confined.message.ends_with("; changes its workspace, " + mine +
                                         "; connects to other machines, not to this one; does not "
                                         "reach Oriel"))
      << confined.message;
  spec.unsafe_sandbox_options = {"--bind", "/", "/"};
  EXPECT_EQ(check_reach(spec, own).remedy, "unsafe_sandbox_options may undo this: --bind / /");

  spec = agent("mine");
  spec.sandbox = SandboxKind::kPodman;
  spec.image = "mine:1";
  spec.network = {.kind = NetworkKind::kList, .allowed = {{"api.example.com", 443}}};
  EXPECT_EQ(check_reach(spec, own).message,
            "podman: reads the image mine:1; changes its workspace; connects to "
            "api.example.com:443; does not reach Oriel");
  spec.allow_oriel = true;
  EXPECT_TRUE(check_reach(spec, own).message.ends_with("; reads its own session in Oriel"));
}

TEST_F(Doctor, SaysWhetherMemoryIsLimited) {
  AgentSpec spec = agent("mine");
  EXPECT_FALSE(check_memory(spec, {}));
  spec.max_memory = 4ULL << 30;
  const Finding nowhere = check_memory(spec, {}).value();
  EXPECT_EQ(nowhere.level, FindingLevel::kNote);
  EXPECT_TRUE(nowhere.message.starts_with("4GiB at most in each of its processes"))
      << nowhere.message;
  directory_.add("cgroup/cgroup.subtree_control", "memory\n");
  EXPECT_EQ(check_memory(spec, directory_ / "cgroup")->message, "4GiB at most, by its cgroup");
  spec.sandbox = SandboxKind::kPodman;
  EXPECT_EQ(check_memory(spec, {})->message, "4GiB at most, by podman");
}

TEST_F(Doctor, OneUsableAgentIsNeeded) {
  const Finding good{.level = FindingLevel::kFine, .subject = "", .message = ""};
  const Finding missing{.level = FindingLevel::kNote, .subject = "", .message = ""};
  EXPECT_EQ(check_any_agent({missing, good}).level, FindingLevel::kFine);
  EXPECT_EQ(check_any_agent({missing}).level, FindingLevel::kBroken);
}

TEST_F(Doctor, ASandboxMustWork) {
  program("bwrap", "exit 0");
  program("docker", "echo 'cannot connect to the daemon' >&2; exit 1");
  EXPECT_EQ(check_sandbox(SandboxKind::kBubblewrap, path()).message,
            "works (" + path() + "/bwrap)");
  const Finding docker = check_sandbox(SandboxKind::kDocker, path());
  EXPECT_EQ(docker.level, FindingLevel::kNote);
  EXPECT_TRUE(docker.message.ends_with("cannot connect to the daemon")) << docker.message;
  EXPECT_EQ(check_sandbox(SandboxKind::kPodman, path()).message, "not installed");
}

TEST_F(Doctor, GitIsOptional) {
  EXPECT_EQ(check_git(path()).level, FindingLevel::kNote);
  program("git", "echo git version 9");
  EXPECT_EQ(check_git(path()).message, "git version 9");
}

TEST_F(Doctor, DetectsARunningOriel) {
  ScriptedServer server({json_answer(R"({"status":"ok","version":"1.2.3","sse":{}})")});
  const Finding finding = check_listen(serve_at(server.url(), directory_.path()));
  EXPECT_EQ(finding.level, FindingLevel::kFine);
  EXPECT_EQ(finding.message, "Oriel 1.2.3 is running at " + server.url());
}

TEST_F(Doctor, DistinguishesAnUnhealthyOrielFromAnotherProgram) {
  ScriptedServer server({json_answer(R"({"status":"failing","version":"1","sse":{}})"),
                         "HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\nnothing here"});
  const ServeOptions options = serve_at(server.url(), directory_.path());
  EXPECT_EQ(check_listen(options).message, "Oriel 1 at " + server.url() + " is unhealthy");
  const Finding other = check_listen(options);
  EXPECT_EQ(other.level, FindingLevel::kBroken);
  EXPECT_EQ(other.message, "another program answers at " + server.url());
}

TEST_F(Doctor, AnUnusedAddressIsFree) {
  std::string url;
  {
    ScriptedServer server({});
    url = server.url();
  }
  EXPECT_EQ(check_listen(serve_at(url, directory_.path())).message, url + " is free");
  ServeOptions elsewhere = serve_at(url, directory_.path());
  elsewhere.listen_host = "192.0.2.1";  // assigned to no machine
  EXPECT_EQ(check_listen(elsewhere).level, FindingLevel::kBroken);
}

TEST_F(Doctor, BeyondLoopbackATokenIsNeeded) {
  ServeOptions options = serve_at("http://h:1", directory_.path());
  EXPECT_EQ(check_tokens(options).level, FindingLevel::kFine);
  options.listen_host = "0.0.0.0";
  EXPECT_EQ(check_tokens(options).level, FindingLevel::kBroken);
  ASSERT_TRUE(TokenStore(directory_ / "tokens.json")
                  .create({.name = "me", .scopes = {Scope::kRead}})
                  .has_value());
  EXPECT_EQ(check_tokens(options).message, "1");
  std::ofstream(directory_ / "tokens.json") << "garbage";
  EXPECT_EQ(check_tokens(options).level, FindingLevel::kBroken);
}

TEST_F(Doctor, TheDataDirectoryExistsOrCanBeCreated) {
  EXPECT_NE(check_data_dir(directory_.path()).level, FindingLevel::kBroken);
  const Finding later = check_data_dir(directory_ / "a" / "b");
  EXPECT_NE(later.level, FindingLevel::kBroken);
  EXPECT_NE(later.message.find("created at the first start"), std::string::npos) << later.message;
  EXPECT_FALSE(fs::exists(directory_ / "a"));
  std::ofstream(directory_ / "file") << "x";
  EXPECT_EQ(check_data_dir(directory_ / "file").level, FindingLevel::kBroken);
  EXPECT_EQ(check_data_dir("/proc/oriel").level, FindingLevel::kBroken);
}

TEST_F(Doctor, AConfigurationInAWorkspaceIsNoted) {
  ServeOptions options;
  EXPECT_FALSE(check_config(options));
  directory_.add("work/oriel.toml", "");
  options.config_file = directory_ / "work/oriel.toml";
  EXPECT_EQ(check_config(options)->level, FindingLevel::kFine);
  ProjectSpec project;
  project.id = "web";
  project.workspace = directory_ / "work";
  options.projects = {project};
  EXPECT_EQ(check_config(options)->level, FindingLevel::kNote);
  EXPECT_NE(check_config(options)->message.find("the project web"), std::string::npos);
}

TEST_F(Doctor, FindingsAreLinesWithTheirRemedies) {
  EXPECT_EQ(format_findings({{.level = FindingLevel::kFine, .subject = "git", .message = "2.39"},
                             {.level = FindingLevel::kBroken,
                              .subject = "tokens",
                              .message = "bad\x1b",
                              .remedy = "repair it"}},
                            {}),
            "✓ git     2.39\n✗ tokens  bad\\x1b\n          → repair it\n");
}

TEST_F(Doctor, AProblemSetsTheExitCode) {
  ScriptedServer server({"HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n"});
  DoctorOptions options;
  options.serve = serve_at(server.url(), directory_.path());
  options.path = path();
  std::ostringstream out;
  EXPECT_EQ(doctor(options, {}, out), 1);
  EXPECT_NE(out.str().find("✗ address"), std::string::npos) << out.str();
}

}  // namespace
}  // namespace oriel
