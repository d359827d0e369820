#include "agent_fixture.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>

namespace oriel {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

const fs::path kAgents = ORIEL_AGENTS_DIR;
const fs::path kNode = kAgents / "node-program";
const fs::path kImage = kAgents / "image.tar";

Environment settle_droid(const fs::path& home, const std::string& model_url) {
  const json::object model{{"model", "scripted"},       {"id", "custom:scripted"},
                           {"displayName", "Scripted"}, {"baseUrl", model_url},
                           {"apiKey", "none"},          {"provider", "anthropic"},
                           {"maxOutputTokens", 4096}};
  fs::create_directories(home / ".factory");
  write_file(home / ".factory/settings.json",
             json::serialize(json::object{{"customModels", json::array{model}}}));
  return {{"FACTORY_AIRGAP_ENABLED", "true"}};
}

Environment settle_qwen(const fs::path&, const std::string& model_url) {
  return {{"OPENAI_BASE_URL", model_url + "/v1"},
          {"OPENAI_API_KEY", "none"},
          {"OPENAI_MODEL", "scripted"}};
}

Environment settle_claude(const fs::path&, const std::string& model_url) {
  return {{"ANTHROPIC_BASE_URL", model_url},
          {"ANTHROPIC_API_KEY", "none"},
          {"DISABLE_TELEMETRY", "1"},
          {"DISABLE_AUTOUPDATER", "1"},
          {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"}};
}

Environment settle_codex(const fs::path& home, const std::string& model_url) {
  fs::create_directories(home / ".codex");
  write_file(home / ".codex/config.toml",
             "model = \"scripted\"\n"
             "model_provider = \"scripted\"\n"
             "[model_providers.scripted]\n"
             "name = \"Scripted\"\n"
             "base_url = \"" +
                 model_url +
                 "/v1\"\n"
                 "env_key = \"SCRIPTED_KEY\"\n"
                 "wire_api = \"responses\"\n"
                 "request_max_retries = 0\n"
                 "stream_max_retries = 0\n");
  return {{"SCRIPTED_KEY", "none"}};
}

// A TOML string, which JSON's is too.
std::string quoted(const std::string& text) {
  return json::serialize(json::value(text));
}

// A store of its own, and what machines need whose limits are low. Podman takes no path of more
// than 50 bytes for `run`.
std::vector<std::string> podman_in(const fs::path& dir, const fs::path& run) {
  return {"podman",
          "--root=" + (dir / "podman").string(),
          "--runroot=" + run.string(),
          "--storage-driver=vfs",
          "--cgroup-manager=cgroupfs",
          "--runtime=runc",
          "--events-backend=file"};
}

}  // namespace

RealAgent droid() {
  return {.name = "droid",
          .adapter = "droid",
          .program = kAgents / "node_modules/@factory/cli-linux-x64/bin/droid",
          .is_script = false,
          .options = {},
          .model = "custom:scripted",
          .settle = settle_droid};
}

RealAgent qwen() {
  return {.name = "qwen",
          .adapter = "acp",
          .program = kAgents / "node_modules/@qwen-code/qwen-code/cli.js",
          .is_script = true,
          .options = {"--acp"},
          .model = {},
          .settle = settle_qwen};
}

RealAgent claude() {
  return {.name = "claude",
          .adapter = "claude",
          .program = kAgents / "all/node_modules/@anthropic-ai/claude-code-linux-x64/claude",
          .is_script = false,
          .options = {},
          .model = {},
          .settle = settle_claude};
}

RealAgent codex() {
  return {.name = "codex",
          .adapter = "codex",
          .program = kAgents / "all/node_modules/@openai/codex-linux-x64/vendor" /
                     "x86_64-unknown-linux-musl/bin/codex",
          .is_script = false,
          .options = {},
          .model = {},
          .settle = settle_codex};
}

std::string why_not_installed(const RealAgent& agent) {
  for (const fs::path& file : {kNode, agent.program}) {
    if (!fs::exists(file)) {
      return agent.name + " is not installed: there is no " + file.string() +
             "; run script/setup agents, or script/setup all-agents for claude and codex";
    }
  }
  return {};
}

std::string why_no_sandbox(Sandbox sandbox) {
  if (sandbox == Sandbox::kBubblewrap &&
      std::system("bwrap --unshare-user --disable-userns --unshare-net --unshare-pid --ro-bind / / "
                  "true 2>/dev/null") != 0)
    return "bubblewrap does not run here";
  if (sandbox == Sandbox::kPodman && !fs::exists(kImage))
    return "there is no " + kImage.string() + "; run script/setup all-agents";
  return {};
}

ModelServer::ModelServer(const std::string& host)
    : process_({.words = {kNode, ORIEL_MODEL_SERVER}, .environment = {{"MODEL_HOST", host}}}) {
  if (!eventually([this] { return process_.out().ends_with('\n'); })) {
    throw std::runtime_error("the model server is not ready: " + process_.err());
  }
  url_ = process_.out();
  url_.pop_back();
}

// Not below /tmp, where codex with a sandbox of its own would not keep its helpers.
AgentFixture::AgentFixture(const RealAgent& agent, Sandbox sandbox)
    : dir_(kAgents),
      home_(dir_.path() / "home"),
      workspace_(dir_.path() / "workspace"),
      // The proxy's variables leave out 127.0.0.1, which is the sandbox itself.
      model_(sandbox == Sandbox::kNone ? "127.0.0.1" : "127.0.0.2") {
  fs::create_directory(home_);
  fs::create_directory(workspace_);
  write_file(workspace_ / "notes.txt", "alpha\n");
  if (sandbox == Sandbox::kPodman) import_image();
  write_config(agent, sandbox);
  start_server();
}

AgentFixture::~AgentFixture() {
  server_.reset();
  const auto left = processes();
  if (left.empty()) return;
  ADD_FAILURE() << "the agent left these behind:\n" << describe_processes(left);
  for (const pid_t pid : left)
    kill(pid, SIGKILL);
}

void AgentFixture::import_image() const {
  std::string command;
  for (const std::string& word : podman_in(dir_.path(), podman_run_.path()))
    command += word + " ";
  command +=
      "import " + kImage.string() + " oriel-agents >" + (dir_.path() / "import").string() + " 2>&1";
  if (std::system(command.c_str()) != 0)
    throw std::runtime_error("cannot import the image: " + read_file(dir_.path() / "import"));
}

std::string AgentFixture::sandbox_config(Sandbox sandbox) const {
  if (sandbox == Sandbox::kNone) return {};
  const std::string network = "network = [" + quoted(model_.url().substr(7)) + "]\n";
  if (sandbox == Sandbox::kBubblewrap) return "sandbox = \"bubblewrap\"\n" + network;
  std::string podman;
  for (const std::string& word : podman_in(dir_.path(), podman_run_.path()))
    podman += quoted(word) + ", ";
  std::string packages;
  for (const char* directory : {"node_modules", "all/node_modules"})
    if (fs::exists(kAgents / directory)) packages += quoted(kAgents / directory) + ", ";
  return "sandbox = \"podman\"\nimage = \"oriel-agents\"\n" + network + "sandbox_command = [" +
         podman + "]\nsandbox_read = [" + packages +
         "]\nunsafe_sandbox_options = [\"--ulimit=nofile=1024:1024\", "
         "\"--ulimit=nproc=1024:1024\"]\n";
}

void AgentFixture::write_config(const RealAgent& agent, Sandbox sandbox) const {
  std::string command = agent.is_script ? quoted(kNode) + ", " : "";
  command += quoted(agent.program);
  for (const std::string& option : agent.options)
    command += ", " + quoted(option);
  std::string environment;
  for (const auto& [name, value] : agent.settle(home_, model_.url()))
    environment += (environment.empty() ? "" : ", ") + name + " = " + quoted(value);
  std::string config = "[agents.real]\nadapter = " + quoted(agent.adapter) + "\ncommand = [" +
                       command + "]\nenv = { " + environment + " }\nhome = " + quoted(home_) +
                       "\npermissions = \"ask\"\n";
  if (!agent.model.empty()) config += "model = " + quoted(agent.model) + "\n";
  config += sandbox_config(sandbox);
  write_file(dir_.path() / "oriel.toml", config);
}

void AgentFixture::start_server() {
  server_ = std::make_unique<ServerProcess>(
      std::vector<std::string>{"--config", dir_.path() / "oriel.toml"}, dir_.path() / "data");
}

SessionClient AgentFixture::start_session() {
  return {*server_, json::object{{"agent", "real"}, {"workspace", workspace_.string()}}};
}

void AgentFixture::restart() {
  server_.reset();
  EXPECT_EQ(describe_processes(processes()), "");
  start_server();
}

std::vector<pid_t> AgentFixture::processes() const {
  return processes_with("HOME=" + home_.string());
}

}  // namespace oriel
