#include "server/serve_options.h"

#include "server/option_kinds.h"
#include "server/session_options.h"

namespace oriel {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
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
  add_session_options(table);
  add_limits(table);
  return table;
}

}  // namespace

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
