#include "app/serve_options.h"

#include "app/option_kinds.h"

namespace oriel {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

constexpr milliseconds kShort{10};
constexpr milliseconds kLong = hours(1);
constexpr std::uint64_t kKiB = 1ULL << 10;
constexpr std::uint64_t kMiB = 1ULL << 20;
constexpr std::uint64_t kGiB = 1ULL << 30;
constexpr std::uint64_t kTiB = 1ULL << 40;

using Table = std::vector<ServeOption>;

void add_network(Table& table) {
  const std::string group = "Network";
  table.push_back(listen_option({
      .group = group,
      .flag = "listen",
      .key = "listen",
      .placeholder = "HOST:PORT",
      .help = "Where to accept connections; port 0 picks a free one. Beyond loopback only once "
              "a token exists (oriel token create)",
  }));
  table.push_back(public_url_option({
      .group = group,
      .flag = "public-url",
      .key = "public_url",
      .placeholder = "URL",
      .help = "The address people use when a proxy stands before Oriel: its host passes the "
              "Host and Origin checks, beside loopback names",
  }));
  table.push_back(path_option(
      {
          .group = group,
          .flag = "tls-cert",
          .key = "tls.cert",
          .placeholder = "FILE",
          .help = "Serve HTTPS with this certificate chain (PEM)",
          .default_text = "none",
      },
      &ServeOptions::tls_cert));
  table.push_back(path_option(
      {
          .group = group,
          .flag = "tls-key",
          .key = "tls.key",
          .placeholder = "FILE",
          .help = "The certificate's private key (PEM)",
          .default_text = "none",
      },
      &ServeOptions::tls_key));
}

void add_process(Table& table) {
  const std::string group = "Process";
  table.push_back(path_option(
      {
          .group = group,
          .flag = "data-dir",
          .key = "data_dir",
          .placeholder = "DIR",
          .help = "Where the journal and the tokens are kept; made when it is missing",
          .default_text = "$XDG_DATA_HOME/oriel or ~/.local/share/oriel",
      },
      &ServeOptions::data_dir));
  table.push_back(number_option(
      {
          .group = group,
          .flag = "threads",
          .key = "threads",
          .placeholder = "N",
          .help = "Threads that serve connections",
          .default_text = "the number of cores",
      },
      &ServeOptions::threads, 1, kMaxThreads));
  table.push_back(log_level_option({
      .group = group,
      .flag = "log-level",
      .key = "log_level",
      .placeholder = "LEVEL",
      .help = "The least important lines to log on standard error: trace, debug, info, warn, error "
              "or off",
  }));
  table.push_back(duration_option(
      {
          .group = group,
          .flag = "shutdown-timeout",
          .key = "limits.shutdown_timeout",
          .placeholder = "DURATION",
          .help = "How long an orderly end may take; connections still open then are cut",
      },
      &ServeOptions::shutdown_timeout, kShort, kLong));
}

void add_stream(Table& table) {
  const std::string group = "Event stream";
  table.push_back(number_option(
      {
          .group = group,
          .flag = "max-sse-clients",
          .key = "sse.max_clients",
          .placeholder = "N",
          .help = "Watchers at one time; the next one gets 503",
      },
      &ServeOptions::max_sse_clients, 1, 1'000'000));
  table.push_back(duration_option(
      {
          .group = group,
          .flag = "heartbeat",
          .key = "sse.heartbeat",
          .placeholder = "DURATION",
          .help = "Silence after which a watcher is sent a heartbeat",
      },
      &ServeOptions::heartbeat, kShort, kLong));
  table.push_back(duration_option(
      {
          .group = group,
          .flag = "stall-timeout",
          .key = "sse.stall_timeout",
          .placeholder = "DURATION",
          .help = "Time without any progress after which a watcher is disconnected",
      },
      &ServeOptions::stall_timeout, kShort, kLong));
  table.push_back(bytes_option(
      {
          .group = group,
          .flag = "max-queue-bytes",
          .key = "sse.max_queue_bytes",
          .placeholder = "BYTES",
          .help = "What may wait for one slow watcher; beyond it, it is disconnected and resumes "
                  "by its cursor",
      },
      &ServeOptions::max_queue_bytes, kKiB, kGiB));
  table.push_back(duration_option(
      {
          .group = group,
          .flag = "retry",
          .key = "sse.retry",
          .placeholder = "DURATION",
          .help = "How long watchers are told to wait before they reconnect",
      },
      &ServeOptions::retry, kShort, kLong));
}

void add_store(Table& table) {
  const std::string group = "Store";
  table.push_back(store_option({
      .group = group,
      .flag = "store",
      .key = "store.kind",
      .placeholder = "KIND",
      .help = "Where events are kept: sqlite (in the data directory) or memory (gone with the "
              "process)",
  }));
  table.push_back(durability_option({
      .group = group,
      .flag = "durability",
      .key = "store.durability",
      .placeholder = "KIND",
      .help = "What acknowledged events survive in sqlite: process (its end, however sudden) or "
              "power (also a loss of power; slower)",
  }));
  table.push_back(open_duration_option(
      {
          .group = group,
          .flag = "retain-age",
          .key = "store.retain_age",
          .placeholder = "DURATION",
          .help = "Older events are removed; 0 keeps them",
      },
      &ServeOptions::retain_age, std::chrono::seconds(1), hours(24 * 36'500)));
  table.push_back(retain_bytes_option({
      .group = group,
      .flag = "retain-bytes",
      .key = "store.retain_bytes",
      .placeholder = "BYTES",
      .help = "Beyond this size the oldest events are removed from sqlite; 0 keeps them",
  }));
  table.push_back(bytes_option(
      {
          .group = group,
          .flag = "event-store-bytes",
          .key = "store.memory_bytes",
          .placeholder = "BYTES",
          .help = "Beyond this size the oldest events are removed from the memory store; and, of "
                  "what MCP streams hold for clients that come back, the same again",
      },
      &ServeOptions::event_store_bytes, kKiB, kTiB));
  table.push_back(number_option(
      {
          .group = group,
          .flag = "events-per-session",
          .key = "store.events_per_session",
          .placeholder = "N",
          .help = "Events of one session that are kept in memory",
      },
      &ServeOptions::events_per_session, 1, 1'000'000'000));
}

void add_mcp(Table& table) {
  const std::string group = "MCP";
  table.push_back(number_option(
      {
          .group = group,
          .flag = "mcp-max-sessions",
          .key = "mcp.max_sessions",
          .placeholder = "N",
          .help = "Sessions of MCP clients at one time; the next one gets 503",
      },
      &ServeOptions::mcp_max_sessions, 1, 1'000'000));
  table.push_back(number_option(
      {
          .group = group,
          .flag = "mcp-max-streams",
          .key = "mcp.max_streams",
          .placeholder = "N",
          .help = "Streams of one MCP session at one time; the next one gets 429",
      },
      &ServeOptions::mcp_max_streams, 1, 10'000));
  const auto add_duration = [&](const std::string& name, const std::string& key,
                                const std::string& help, milliseconds max,
                                milliseconds ServeOptions::*field) {
    ServeOption option{.group = group,
                       .flag = "mcp-" + name,
                       .key = "mcp." + key,
                       .placeholder = "DURATION",
                       .help = help};
    table.push_back(duration_option(std::move(option), field, kShort, max));
  };
  add_duration("session-ttl", "session_ttl",
               "An MCP session without a request or an open stream for that long is forgotten",
               hours(24 * 365), &ServeOptions::mcp_session_ttl);
  add_duration("stream-ttl", "stream_ttl",
               "How long a stream without a connection is kept for its client to come back",
               hours(24 * 365), &ServeOptions::mcp_stream_ttl);
  add_duration("retry", "retry", "How long MCP clients are told to wait before they reconnect",
               kLong, &ServeOptions::mcp_retry);
}

void add_sessions(Table& table) {
  const std::string group = "Agents and sessions";
  table.push_back(agent_option({
      .group = group,
      .flag = "agent",
      .key = "agent",
      .placeholder = "NAME=COMMAND",
      .help = "An agent beside those that Oriel knows, or in place of one; may be repeated. In "
              "oriel.toml, [agents.NAME] says more",
  }));
  table.push_back(default_agent_option({
      .group = group,
      .flag = "default-agent",
      .key = "sessions.default_agent",
      .placeholder = "NAME",
      .help = "The agent of sessions that name none",
  }));
  const auto add_number = [&](const std::string& flag, const std::string& key,
                              const std::string& help, std::uint64_t ServeOptions::*field) {
    ServeOption option{
        .group = group, .flag = flag, .key = "sessions." + key, .placeholder = "N", .help = help};
    table.push_back(number_option(std::move(option), field, 1, 1'000'000));
  };
  add_number("max-sessions", "max", "Agents that run at one time; the next one gets 429",
             &ServeOptions::max_sessions);
  add_number("max-sessions-per-project", "max_per_project", "The same for one project",
             &ServeOptions::max_sessions_per_project);
  add_number("max-kept-sessions", "max_kept",
             "Sessions without a running agent that stay listed and can be resumed",
             &ServeOptions::max_kept_sessions);
  add_number("max-queued-messages", "max_queued_messages",
             "Messages of one session that may wait for a turn to end; the next one gets 429",
             &ServeOptions::max_queued_messages);
  table.push_back(bytes_option(
      {
          .group = group,
          .flag = "max-line-bytes",
          .key = "sessions.max_line_bytes",
          .placeholder = "BYTES",
          .help = "The longest line that is read from an agent; a longer one fails the turn",
      },
      &ServeOptions::max_line_bytes, kKiB, kGiB));
  table.push_back(number_option(
      {
          .group = group,
          .flag = "max-event-rate",
          .key = "sessions.max_event_rate",
          .placeholder = "N",
          .help = "Events a second that are read from one agent, so that a flood leaves the "
                  "machine to others; an agent that writes more waits, and nothing is lost",
      },
      &ServeOptions::max_event_rate, 100, 10'000'000));
  const auto add_duration = [&](const std::string& flag, const std::string& key,
                                const std::string& help, milliseconds ServeOptions::*field) {
    ServeOption option{.group = group,
                       .flag = flag,
                       .key = "sessions." + key,
                       .placeholder = "DURATION",
                       .help = help};
    table.push_back(duration_option(std::move(option), field, kShort, kLong));
  };
  const auto add_open_duration = [&](const std::string& flag, const std::string& key,
                                     const std::string& help, milliseconds ServeOptions::*field) {
    ServeOption option{.group = group,
                       .flag = flag,
                       .key = "sessions." + key,
                       .placeholder = "DURATION",
                       .help = help};
    table.push_back(open_duration_option(std::move(option), field, kShort, hours(24 * 365)));
  };
  add_duration("start-timeout", "start_timeout",
               "From an agent's start until it takes messages; then the session fails",
               &ServeOptions::start_timeout);
  add_open_duration("permission-timeout", "permission_timeout",
                    "How long an agent's question waits for an answer; then it is refused. 0: for "
                    "ever",
                    &ServeOptions::permission_timeout);
  add_open_duration("turn-timeout", "turn_timeout",
                    "The longest turn; then it is cancelled. 0: any length",
                    &ServeOptions::turn_timeout);
  add_duration("cancel-timeout", "cancel_timeout",
               "From a cancel until the agent has ended its turn; then the agent is ended",
               &ServeOptions::cancel_timeout);
  add_open_duration("rest-after", "rest_after",
                    "Idle time after which an agent's process is ended; the next message resumes "
                    "it. 0: never",
                    &ServeOptions::rest_after);
  add_duration("stop-timeout", "stop_timeout",
               "For an agent to end by itself, and again after SIGTERM; then it is killed with "
               "all that it started",
               &ServeOptions::stop_timeout);
}

void add_observed(Table& table) {
  const std::string group = "Observed agents";
  table.push_back(transcript_roots_option({
      .group = group,
      .flag = "transcript-roots",
      .key = "observed.transcript_roots",
      .placeholder = "DIRS",
      .help = "Where agents that people run themselves keep their transcripts: none, or absolute "
              "directories with : between them. A transcript elsewhere is not read",
  }));
  table.push_back(number_option(
      {
          .group = group,
          .flag = "max-observed",
          .key = "observed.max",
          .placeholder = "N",
          .help = "Such agents that stay listed with their turns; of more, those that have ended "
                  "or rested longest are forgotten",
      },
      &ServeOptions::max_observed, 1, 100'000));
  table.push_back(number_option(
      {
          .group = group,
          .flag = "max-imported",
          .key = "observed.max_imported",
          .placeholder = "N",
          .help = "Past sessions that an import brings and that stay listed with their turns; of "
                  "more, the oldest are left out or forgotten",
      },
      &ServeOptions::max_imported, 1, 100'000));
  table.push_back(number_option(
      {
          .group = group,
          .flag = "import-days",
          .key = "observed.import_days",
          .placeholder = "N",
          .help = "An import reads the transcripts that were written to in so many days, unless it "
                  "is asked for others",
      },
      &ServeOptions::import_days, 1, 36'500));
  table.push_back(duration_option(
      {
          .group = group,
          .flag = "observed-silence",
          .key = "observed.silence",
          .placeholder = "DURATION",
          .help = "After so long without a word of an agent that should work, watchers are told "
                  "what the silence means",
      },
      &ServeOptions::observed_silence, kShort, hours(24)));
}

void add_uploads(Table& table) {
  const std::string group = "Uploads";
  table.push_back(bytes_option(
      {
          .group = group,
          .flag = "max-upload-bytes",
          .key = "uploads.max_file_bytes",
          .placeholder = "BYTES",
          .help = "The largest file that is sent to a session; beyond it 413",
      },
      &ServeOptions::max_upload_bytes, kKiB, kTiB));
  table.push_back(number_option(
      {
          .group = group,
          .flag = "max-upload-files",
          .key = "uploads.max_files",
          .placeholder = "N",
          .help = "Files of one upload; beyond it 413",
      },
      &ServeOptions::max_upload_files, 1, 50));
  table.push_back(bytes_option(
      {
          .group = group,
          .flag = "max-uploads-total",
          .key = "uploads.max_total_bytes",
          .placeholder = "BYTES",
          .help = "The files of all sessions together; beyond it 413",
      },
      &ServeOptions::max_uploads_total, kKiB, 1024 * kTiB));
  table.push_back(upload_types_option({
      .group = group,
      .flag = "upload-types",
      .key = "uploads.types",
      .placeholder = "TYPES",
      .help = "What files may say they are; any other is 415. Whatever a file says, it is only "
              "given back as a download",
  }));
}

void add_limits(Table& table) {
  const std::string group = "Limits of a connection";
  table.push_back(number_option(
      {
          .group = group,
          .flag = "max-connections",
          .key = "limits.max_connections",
          .placeholder = "N",
          .help = "Connections at one time, watchers included",
      },
      &ServeOptions::max_connections, 1, 1'000'000));
  table.push_back(bytes_option(
      {
          .group = group,
          .flag = "max-header-bytes",
          .key = "limits.max_header_bytes",
          .placeholder = "BYTES",
          .help = "The largest request head; beyond it 431",
      },
      &ServeOptions::max_header_bytes, kKiB, kMiB));
  table.push_back(bytes_option(
      {
          .group = group,
          .flag = "max-body-bytes",
          .key = "limits.max_body_bytes",
          .placeholder = "BYTES",
          .help = "The largest request body; beyond it 413",
      },
      &ServeOptions::max_body_bytes, kKiB, kGiB));
  const auto add_timeout = [&](const std::string& name, const std::string& help,
                               milliseconds ServeOptions::*field) {
    ServeOption option{.group = group,
                       .flag = name + "-timeout",
                       .key = "limits." + name + "_timeout",
                       .placeholder = "DURATION",
                       .help = help};
    table.push_back(duration_option(std::move(option), field, kShort, kLong));
  };
  add_timeout("header", "For a whole request head, from its first byte; then 408",
              &ServeOptions::header_timeout);
  add_timeout("body", "For a whole request body; then 408", &ServeOptions::body_timeout);
  add_timeout("write", "For a whole answer that is not a stream", &ServeOptions::write_timeout);
  add_timeout("idle", "Between two requests of one connection", &ServeOptions::idle_timeout);
}

Table make_table() {
  Table table;
  add_network(table);
  add_process(table);
  add_stream(table);
  add_store(table);
  add_mcp(table);
  add_sessions(table);
  add_observed(table);
  add_uploads(table);
  add_limits(table);
  return table;
}

}  // namespace

std::vector<std::string> usual_upload_types() {
  return {"text/*",          "image/*",          "audio/*",           "application/json",
          "application/xml", "application/yaml", "application/toml",  "application/pdf",
          "application/zip", "application/gzip", "application/x-tar", "application/octet-stream"};
}

std::string ServeOption::variable() const {
  std::string name = "ORIEL_" + flag;
  for (char& c : name)
    c = c == '-' ? '_' : static_cast<char>(std::toupper(c));
  return name;
}

const std::vector<ServeOption>& serve_option_table() {
  static const Table table = make_table();
  return table;
}

}  // namespace oriel
