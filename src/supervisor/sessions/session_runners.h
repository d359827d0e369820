#pragma once
// The runners of hosted sessions: creates them when a command needs one, places each on a shard,
// passes commands on to it there, and stops them all at the end.

#include "runtime/shards.h"
#include "runtime/task_group.h"
#include "supervisor/agent_catalog.h"
#include "supervisor/sessions/session_registry.h"
#include "supervisor/sessions/uploads.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace oriel {

// What sandboxes must not show, and where they keep what belongs to one session.
struct SandboxPlaces {
  std::vector<std::filesystem::path> hidden;        // directories
  std::vector<std::filesystem::path> hidden_files;  // as in AgentSpec
  std::filesystem::path homes;       // private homes, by session; empty: they are in memory
  std::filesystem::path workspaces;  // new workspaces, by session
};

// Owned by the supervisor; lives on the first shard. Commands fail with unknown_session, observed,
// in_progress, session_ended, unknown_agent, after refuse_commands() with stopping, and with
// journal_failed or journal_busy if they are not stored in time.
class SessionRunners {
 public:
  template <class T>
  using Command = std::function<asio::awaitable<Result<T>>(SessionRunner&)>;

  SessionRunners(Shards& shards, Journal& journal, SessionRegistry& sessions,
                 const AgentCatalog& agents, const Uploads& uploads, RunnerOptions options,
                 SandboxPlaces places);

  // Sets the listener that agents with allow_oriel may reach. Call this before the first session.
  void set_listener(std::uint16_t port, bool uses_tls) {
    oriel_port_ = port;
    oriel_uses_tls_ = uses_tls;
  }

  // Hides the server's Unix socket from sandboxes. Call this before the first session.
  void hide_socket(std::filesystem::path socket) { oriel_socket_ = std::move(socket); }

  // What a sandbox keeps for this session; empty: nothing.
  std::filesystem::path home_of(const std::string& session_id) const;

  // How the session's agent is started. Error: unknown_agent.
  Result<AgentSpec> spec_for(const SessionState& state) const;

  // Masks secrets of such a session's agent; null: nothing is masked.
  std::shared_ptr<const Redactor> redactor_for(const AgentSpec& spec) const {
    return make_redactor(spec, options_);
  }

  // Stores a new session. The entry must stay in the registry meanwhile. Fails like a command that
  // cannot be stored: the session is stored later, or never if Oriel stops. In a cluster it fails
  // with overtaken, and is never stored, if another node has answered the same request.
  asio::awaitable<Result<void>> create(SessionEntry& entry, AgentSpec spec);

  // Gives the session of this entry a runner that stores the interruption. Without its agent it can
  // have none, and the next start tries again.
  asio::awaitable<void> interrupt(SessionEntry& entry, Interruption interruption);

  // Waits until the changes of earlier commands are stored.
  asio::awaitable<Result<void>> confirm(std::string session_id);

  // Runs the command on the session's shard.
  asio::awaitable<Result<std::string>> run(std::string session_id, Command<std::string> command);

  // Like run() for a command that may start the agent; also fails with too_many_sessions.
  asio::awaitable<Result<MessageTaken>> start_task(std::string session_id,
                                                   Command<MessageTaken> command);

  // Ends the session permanently. A repeated call has no effect.
  asio::awaitable<Result<SessionSnapshot>> end(std::string session_id, std::string by);

  // Stops the runner of an entry that the registry no longer has.
  asio::awaitable<void> stop(SessionEntry entry);

  // Another node owns the session: kills its agent, and drops what is not stored. Returns at once.
  void fence(SessionEntry& entry);

  bool is_stopping() const { return is_stopping_; }

  // Call this before stop_all().
  void refuse_commands() { is_stopping_ = true; }

  // Stops all runners concurrently.
  asio::awaitable<void> stop_all();

 private:
  template <class T>
  asio::awaitable<Result<T>> run_on_shard(std::string session_id, Command<T> command);
  Result<SessionEntry*> find_hosted(const std::string& session_id);
  Result<std::shared_ptr<SessionRunner>> open(SessionEntry& entry);
  void add_runner(SessionEntry& entry, AgentSpec spec, SessionState state, OwnerGuard guard);
  OwnerGuard guard_of(const SessionEntry& entry) const;
  void note_change(const SessionSnapshot& state, std::uint64_t runner_number);
  void note_stored(const SessionSnapshot& state, std::uint64_t runner_number);
  SessionEntry* find_run_by(const std::string& session_id, std::uint64_t runner_number);
  void note_overtaken(const std::string& session_id, std::uint64_t runner_number);
  asio::any_io_executor executor_of(const SessionEntry& entry);

  Shards& shards_;
  Journal& journal_;
  SessionRegistry& sessions_;
  const AgentCatalog& agents_;
  const Uploads& uploads_;
  RunnerOptions options_;
  SandboxPlaces places_;
  std::uint16_t oriel_port_ = 0;
  bool oriel_uses_tls_ = false;
  std::filesystem::path oriel_socket_;
  asio::any_io_executor owner_shard_;
  FailureLog failures_;
  bool is_stopping_ = false;
  std::uint64_t runners_ = 0;  // created, ever
  TaskGroup fences_;
};

}  // namespace oriel
