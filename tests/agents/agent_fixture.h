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

// How one agent is installed and told where its model is.
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

// `node model_server.mjs`.
class ModelServer {
 public:
  ModelServer();

  const std::string& url() const { return url_; }

 private:
  TestProcess process_;
  std::string url_;
};

// Everything goes with it. A process that an agent left behind is a failure.
class AgentFixture {
 public:
  explicit AgentFixture(const RealAgent& agent);
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
  void write_config(const RealAgent& agent, const std::string& model_url) const;
  void start_server();

  TempDir dir_;
  std::filesystem::path home_;
  std::filesystem::path workspace_;
  ModelServer model_;
  std::unique_ptr<ServerProcess> server_;
};

}  // namespace oriel
