#pragma once
// Everything that can be set about `oriel serve`, as values, and the one table that says how each
// is called, written, checked and explained. Flags, environment, oriel.toml, the help and
// docs/configuration.md all follow the table.

#include "agent/agent_spec.h"
#include "base/error.h"
#include "journal/sqlite_engine.h"
#include "supervisor/sessions/workspace.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace oriel {

enum class StoreKind { kSqlite, kMemory };

constexpr unsigned kMaxThreads = 256;

// Text, pictures, sound, documents, data and archives; and what has no type of its own.
std::vector<std::string> usual_upload_types();

// Its initial values are the defaults; only data_dir and transcript_roots depend on the environment
// (load_options.h).
struct ServeOptions {
  std::string listen_host = "127.0.0.1";  // always an address, an IPv6 one without brackets
  std::uint16_t listen_port = 7433;       // 0: any free one
  std::string public_url;                 // empty: none
  std::string tls_cert;                   // PEM files; both or none
  std::string tls_key;

  std::filesystem::path data_dir;
  unsigned threads = std::clamp(std::thread::hardware_concurrency(), 1U, kMaxThreads);
  std::string log_level = "info";

  std::uint64_t max_sse_clients = 100;
  std::chrono::milliseconds heartbeat = std::chrono::seconds(30);
  std::chrono::milliseconds stall_timeout = std::chrono::seconds(60);
  std::uint64_t max_queue_bytes = 1 << 20;
  std::chrono::milliseconds retry = std::chrono::seconds(2);

  StoreKind store = StoreKind::kSqlite;
  Durability durability = Durability::kProcess;
  std::chrono::milliseconds retain_age = std::chrono::hours(24 * 30);  // 0: no limit
  std::uint64_t retain_bytes = 4ULL << 30;                             // 0: no limit
  std::uint64_t event_store_bytes = 10 << 20;
  std::uint64_t events_per_session = 1000;

  std::uint64_t mcp_max_sessions = 20'000;
  std::uint64_t mcp_max_streams = 16;
  std::chrono::milliseconds mcp_session_ttl = std::chrono::minutes(30);
  std::chrono::milliseconds mcp_stream_ttl = std::chrono::minutes(10);
  std::chrono::milliseconds mcp_retry = std::chrono::seconds(1);

  std::vector<AgentSpec> agents;  // beside those that Oriel knows by itself
  std::vector<ProjectSpec> projects;
  std::string default_agent;  // empty: the first of `agents`, else the demo
  std::uint64_t max_sessions = 100;
  std::uint64_t max_sessions_per_project = 10;
  std::uint64_t max_kept_sessions = 1000;
  std::uint64_t max_queued_messages = 16;
  std::uint64_t max_line_bytes = 64 << 20;
  std::uint64_t max_event_rate = 2'000;  // of one session, a second
  std::chrono::milliseconds start_timeout = std::chrono::seconds(60);
  std::chrono::milliseconds permission_timeout = std::chrono::minutes(10);  // 0: no limit
  std::chrono::milliseconds task_timeout{0};                                // 0: no limit
  std::chrono::milliseconds cancel_timeout = std::chrono::seconds(10);
  std::chrono::milliseconds rest_after = std::chrono::minutes(30);  // 0: never
  std::chrono::milliseconds stop_timeout = std::chrono::seconds(1);

  std::optional<std::vector<std::string>> transcript_roots;  // none: those below HOME
  std::uint64_t max_observed = 200;
  std::uint64_t max_imported = 1000;
  std::uint64_t import_days = 30;
  std::chrono::milliseconds observed_silence = std::chrono::minutes(1);

  std::uint64_t max_upload_bytes = 25 << 20;  // of one file
  std::uint64_t max_upload_files = 10;        // of one upload
  std::uint64_t max_uploads_total = 1 << 30;  // bytes of all sessions
  std::vector<std::string> upload_types = usual_upload_types();

  std::uint64_t max_connections = 10'000;
  std::uint64_t max_header_bytes = 16 << 10;
  std::uint64_t max_body_bytes = 1 << 20;
  std::chrono::milliseconds header_timeout = std::chrono::seconds(10);
  std::chrono::milliseconds body_timeout = std::chrono::seconds(30);
  std::chrono::milliseconds write_timeout = std::chrono::seconds(30);
  std::chrono::milliseconds idle_timeout = std::chrono::seconds(75);
  std::chrono::milliseconds shutdown_timeout = std::chrono::seconds(5);
};

struct ServeOption {
  std::string group;        // its heading: "Browser stream"
  std::string flag;         // without dashes: "max-sse-clients"
  std::string key;          // in oriel.toml: "sse.max_clients"
  std::string placeholder;  // of its value: "N"
  std::string help;
  std::string allowed = {};  // completes "is not ...": "a whole number from 1 to 256"
  std::string default_text = {};

  // Reads the text into its field; the error names the text and what is allowed instead.
  std::function<Result<void>(std::string_view text, ServeOptions& options)> set = {};

  // ORIEL_MAX_SSE_CLIENTS
  std::string variable() const;
};

// In the order of the help, options of a group next to each other.
const std::vector<ServeOption>& serve_option_table();

}  // namespace oriel
