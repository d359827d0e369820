#pragma once
// The settings of `oriel serve`. option_table.h names, checks and documents each.

#include "agent/agent_spec.h"
#include "auth/authenticator.h"
#include "base/text/redactor.h"
#include "journal/sqlite/sqlite_engine.h"
#include "supervisor/cluster/placement.h"
#include "supervisor/sessions/workspace.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace oriel {

enum class StoreKind { kSqlite, kMemory };

constexpr unsigned kMaxThreads = 256;

// Initial values are the defaults. Those of data_dir, socket and transcript_roots depend on the
// environment (load_options.h).
struct ServeOptions {
  std::string listen_host = "127.0.0.1";        // an address; IPv6 without brackets
  std::uint16_t listen_port = 7433;             // 0: any free port
  std::optional<std::filesystem::path> socket;  // none: oriel.sock in data_dir; empty: no socket
  std::string public_url;                       // empty: none
  std::vector<std::string> allowed_origins;
  LocalTrust local_trust = LocalTrust::kSameUser;
  std::string tls_cert;  // PEM files; both or none
  std::string tls_key;
  std::string tls_client_ca;  // empty: clients need no certificate

  bool takes_over = false;            // from the server that runs with this data directory, if any
  std::filesystem::path config_file;  // that was read; empty: none
  std::filesystem::path data_dir;
  unsigned threads = std::clamp(std::thread::hardware_concurrency(), 1U, kMaxThreads);
  std::string log_level = "info";

  std::uint64_t max_sse_clients = 100;
  std::uint64_t max_sse_clients_per_principal = 0;  // 0: half of max_sse_clients
  std::chrono::milliseconds heartbeat = std::chrono::seconds(30);
  std::chrono::milliseconds stall_timeout = std::chrono::seconds(60);
  std::uint64_t max_queue_bytes = 1 << 20;
  std::chrono::milliseconds retry = std::chrono::seconds(2);

  StoreKind store = StoreKind::kSqlite;
  Durability durability = Durability::kProcess;
  std::chrono::milliseconds retain_age = std::chrono::hours(24 * 30);  // 0: no limit
  std::uint64_t retain_bytes = 4ULL << 30;                             // 0: no limit
  std::uint64_t retain_jump_percent = 5;                               // per hour
  std::uint64_t reserve_bytes = 4 << 20;                               // 0: none
  std::uint64_t event_store_bytes = 10 << 20;
  std::uint64_t events_per_session = 1000;
  std::uint64_t search_bytes = 1ULL << 30;  // 0: no search index

  std::vector<std::string> cluster;  // URLs of NATS servers; empty: one node
  std::string node;                  // empty: the machine's name
  std::uint64_t cluster_replicas = 1;
  std::string node_url;  // empty: unknown
  std::vector<std::string> node_labels;
  std::chrono::milliseconds node_timeout = std::chrono::seconds(10);
  std::string cluster_credentials;  // a file; empty: none
  std::string cluster_ca;           // a PEM file; empty: the system's
  Placement place = Placement::kLocal;
  std::string shared_workspaces;  // a directory that all nodes see; empty: none

  std::uint64_t mcp_max_sessions = 20'000;
  std::uint64_t mcp_max_sessions_per_principal = 1'000;
  std::uint64_t mcp_max_calls_per_session = 64;
  std::uint64_t mcp_max_streams = 16;
  std::uint64_t mcp_max_subscriptions = 100;
  std::chrono::milliseconds mcp_session_ttl = std::chrono::minutes(30);
  std::chrono::milliseconds mcp_stream_ttl = std::chrono::minutes(10);
  std::chrono::milliseconds mcp_retry = std::chrono::seconds(1);
  std::chrono::milliseconds mcp_progress_interval = std::chrono::seconds(15);

  std::vector<AgentSpec> agents;  // in addition to the built-in ones
  std::vector<ProjectSpec> projects;
  std::vector<SecretPattern> secret_patterns;
  std::string default_agent;  // empty: the first of `agents`, else demo
  std::uint64_t max_sessions = 100;
  std::uint64_t max_sessions_per_project = 10;
  std::uint64_t max_kept_sessions = 1000;
  std::uint64_t max_queued_messages = 16;
  std::uint64_t max_line_bytes = 64 << 20;
  std::uint64_t max_event_rate = 2'000;  // per session and second
  std::chrono::milliseconds start_timeout = std::chrono::seconds(60);
  std::chrono::milliseconds permission_timeout = std::chrono::minutes(10);  // 0: no limit
  std::chrono::milliseconds task_timeout{0};                                // 0: no limit
  std::chrono::milliseconds cancel_timeout = std::chrono::seconds(10);
  std::chrono::milliseconds stop_idle_after = std::chrono::minutes(30);  // 0: never
  std::chrono::milliseconds stop_timeout = std::chrono::seconds(1);
  std::chrono::milliseconds command_timeout = std::chrono::seconds(10);
  std::chrono::milliseconds retain_workspaces = std::chrono::hours(24 * 30);  // 0: no limit

  std::uint64_t max_snapshot_bytes = 32 << 20;  // of a workspace; 0: no snapshots
  std::uint64_t max_snapshot_files = 20'000;

  std::optional<std::vector<std::string>> transcript_roots;  // none: the defaults below HOME
  std::uint64_t max_observed = 200;
  std::uint64_t max_imported = 1000;
  std::uint64_t import_days = 30;
  std::chrono::milliseconds observed_silence = std::chrono::minutes(1);

  std::uint64_t max_upload_bytes = 25 << 20;  // per file
  std::uint64_t max_upload_files = 10;        // per upload
  std::uint64_t max_uploads_total = 1 << 30;  // bytes, all sessions together
  std::vector<std::string> upload_types = {
      "text/*",          "image/*",          "audio/*",           "application/json",
      "application/xml", "application/yaml", "application/toml",  "application/pdf",
      "application/zip", "application/gzip", "application/x-tar", "application/octet-stream"};

  std::uint64_t max_connections = 10'000;
  std::uint64_t max_connections_per_address = 256;
  std::uint64_t max_header_bytes = 16 << 10;
  std::uint64_t max_body_bytes = 1 << 20;
  std::chrono::milliseconds header_timeout = std::chrono::seconds(10);
  std::chrono::milliseconds body_timeout = std::chrono::seconds(30);
  std::chrono::milliseconds write_timeout = std::chrono::seconds(30);
  std::chrono::milliseconds idle_timeout = std::chrono::seconds(75);
  std::chrono::milliseconds shutdown_timeout = std::chrono::seconds(5);
};

}  // namespace oriel
