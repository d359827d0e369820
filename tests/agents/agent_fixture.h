#pragma once
// A real agent in a home of its own, a scripted model, and the Oriel that runs it.

#include "processes.h"
#include "server_process.h"
#include "session_client.h"
#include "temp_dir.h"

#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace oriel {

// The installation of one agent and the address of its model.
struct RealAgent {
  std::string name;
  std::string adapter;
  std::filesystem::path program;     // in ORIEL_AGENTS_DIR
  bool is_script = false;            // of node
  std::vector<std::string> options;  // beside what its adapter adds
  std::string model;                 // empty: its own
  // What its environment needs; writes its configuration into `home`.
  Environment (*settle)(const std::filesystem::path& home, const std::string& model_url) = nullptr;

  friend void PrintTo(const RealAgent& agent, std::ostream* out) { *out << agent.name; }
};

RealAgent droid();
RealAgent qwen();
RealAgent claude();
RealAgent codex();

// Why this agent cannot run here; empty if it can.
std::string why_not_installed(const RealAgent& agent);

// Where an agent runs.
enum class Sandbox { kNone, kBubblewrap, kPodman };

// Why there is no such sandbox here; empty if there is.
std::string why_no_sandbox(Sandbox sandbox);

// `node model_server.mjs`, on an address of loopback.
class ModelServer {
 public:
  explicit ModelServer(const std::string& host);

  const std::string& url() const { return url_; }

 private:
  TestProcess process_;
  std::string url_;
};

// Everything goes with it. A process that an agent left behind is a failure.
class AgentFixture {
 public:
  explicit AgentFixture(const RealAgent& agent, Sandbox sandbox = Sandbox::kNone);
  ~AgentFixture();

  ServerProcess& server() { return *server_; }

  // A new session in the workspace.
  SessionClient start_session();

  // Ends Oriel and starts it again over the same data.
  void restart();

  const std::filesystem::path& workspace() const { return workspace_; }

  // The agent's processes, by its home.
  std::vector<pid_t> processes() const;

 private:
  void write_config(const RealAgent& agent, Sandbox sandbox) const;
  std::string sandbox_config(Sandbox sandbox) const;
  void import_image() const;
  void start_server();

  TempDir dir_;
  TempDir podman_run_;
  std::filesystem::path home_;
  std::filesystem::path workspace_;
  ModelServer model_;
  std::unique_ptr<ServerProcess> server_;
};

}  // namespace oriel
