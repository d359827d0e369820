#include "server/option_table.h"

namespace oriel {
namespace {

using namespace option_value;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using S = ServeOptions;

constexpr milliseconds kShort{10};
constexpr milliseconds kLong = hours(1);
constexpr milliseconds kYear = hours(24 * 365);
constexpr std::uint64_t kKiB = 1ULL << 10;
constexpr std::uint64_t kMiB = 1ULL << 20;
constexpr std::uint64_t kGiB = 1ULL << 30;
constexpr std::uint64_t kTiB = 1ULL << 40;
constexpr std::uint64_t kMany = 1'000'000;

struct Group {
  std::string heading;
  std::vector<ServeOption> options;
};

Group network_options() {
  return {
      "Network",
      {{"listen", "listen", listen_address(),
        "Address and port to listen on; port 0 picks a free one. Addresses beyond loopback require "
        "a token (oriel token create)"},
       {"socket", "socket", socket_path(),
        "Also listen on this Unix socket, for the server's own user alone; none: on no socket"},
       {"public-url", "public_url", public_url(),
        "The URL of Oriel behind a reverse proxy; its host passes the Host and Origin checks, in "
        "addition to loopback names. Requires a token"},
       {"allow-origin", "allow_origin", allowed_origins(),
        "Pages of this origin may use the API with a token (CORS); can be repeated"},
       {"local-trust", "local_trust", local_trust(),
        "Who needs no credential: user (the server's own user, over loopback or the Unix socket, "
        "as the kernel reports it) or none"},
       {"tls-cert", "tls.cert", path("FILE", &S::tls_cert),
        "Serve HTTPS with this certificate chain (PEM)"},
       {"tls-key", "tls.key", path("FILE", &S::tls_key), "The certificate's private key (PEM)"},
       {"tls-client-ca", "tls.client_ca", path("FILE", &S::tls_client_ca),
        "Clients must present a certificate of one of these CAs (PEM)"}}};
}

Group process_options() {
  return {"Process",
          {{"data-dir", "data_dir",
            with_default(path("DIR", &S::data_dir), "$XDG_DATA_HOME/oriel or ~/.local/share/oriel"),
            "Directory of the journal, tokens and uploads; created if missing"},
           {"threads", "threads",
            with_default(number(&S::threads, 1, kMaxThreads), "the number of cores"),
            "Threads that serve connections"},
           {"log-level", "log_level", log_level(), "Lowest level of the log on standard error"},
           {"shutdown-timeout", "limits.shutdown_timeout",
            duration(&S::shutdown_timeout, kShort, kLong),
            "Maximum duration of an orderly shutdown; remaining connections are then closed"}}};
}

Group event_stream_options() {
  return {
      "Event stream",
      {{"max-sse-clients", "sse.max_clients", number(&S::max_sse_clients, 1, kMany),
        "Maximum number of watchers; further ones get 503"},
       {"max-sse-clients-per-principal", "sse.max_clients_per_principal",
        number(&S::max_sse_clients_per_principal, 0, kMany),
        "Maximum number of watchers of one token or login; further ones get 503. 0: half of "
        "--max-sse-clients"},
       {"heartbeat", "sse.heartbeat", duration(&S::heartbeat, kShort, kLong),
        "A watcher that has received nothing for this long is sent a heartbeat"},
       {"stall-timeout", "sse.stall_timeout", duration(&S::stall_timeout, kShort, kLong),
        "A watcher that has read nothing for this long is disconnected"},
       {"max-queue-bytes", "sse.max_queue_bytes", size(&S::max_queue_bytes, kKiB, kGiB),
        "Queue of one watcher; one that falls further behind reads the journal at its own pace"},
       {"retry", "sse.retry", duration(&S::retry, kShort, kLong),
        "Delay before watchers reconnect"}}};
}

Group store_options() {
  return {
      "Store",
      {{"store", "store.kind", store_kind(),
        "Where events are stored: sqlite (in the data directory) or memory (lost at exit)"},
       {"durability", "store.durability", durability(),
        "What stored events survive with sqlite: process (a crash of the process) or power (also a "
        "power failure; slower)"},
       {"retain-age", "store.retain_age",
        duration_or_zero(&S::retain_age, seconds(1), hours(24 * 36'500)),
        "Older events are removed; 0: no limit"},
       {"retain-bytes", "store.retain_bytes",
        size_or_zero(&S::retain_bytes, 64 * kKiB, 1024 * kTiB),
        "Beyond this size the oldest events are removed from sqlite; 0: no limit"},
       {"retain-jump-percent", "store.retain_jump_percent", number(&S::retain_jump_percent, 1, 100),
        "After the clock jumps ahead, at most this percentage of the events is removed per hour "
        "because of it, until it is corrected or confirmed"},
       {"reserve-bytes", "store.reserve_bytes", size_or_zero(&S::reserve_bytes, 64 * kKiB, kGiB),
        "Disk space that is kept free with sqlite, for the last events of a shutdown; 0: none"},
       {"event-store-bytes", "store.memory_bytes", size(&S::event_store_bytes, kKiB, kTiB),
        "Beyond this size the oldest events are removed from the memory store; also the limit of "
        "the events held for MCP streams to resume"},
       {"events-per-session", "store.events_per_session",
        number(&S::events_per_session, 1, 1'000'000'000), "Events of one session held in memory"},
       {"search-bytes", "store.search_bytes", size_or_zero(&S::search_bytes, 16 * kMiB, kTiB),
        "Beyond this size the search index forgets the oldest events; 0: no search"}}};
}

Group cluster_options() {
  return {"Cluster",
          {{"cluster", "cluster.servers", nats_servers(),
            "Run as one node of a cluster whose journal these NATS servers with JetStream order"},
           {"node", "cluster.node", node_name(),
            "The name of this node: always the same, and unique in the cluster"},
           {"cluster-replicas", "cluster.replicas", replicas(),
            "On how many NATS servers the log is kept; used by the first node, which makes it"},
           {"node-url", "cluster.node_url", node_url(),
            "Where this server is reached, for GET /api/cluster and oriel cluster status"},
           {"node-labels", "cluster.node_labels", node_labels(),
            "What this node has: sessions whose request or agent asks for a label run on a node "
            "that has it"},
           {"node-timeout", "cluster.node_timeout", duration(&S::node_timeout, seconds(1), kLong),
            "A node that is silent for this long counts as dead, and its sessions are taken over"},
           {"place", "cluster.place", placement(),
            "Where new sessions run: local (on the node that is asked) or spread (on the least "
            "loaded node)"},
           {"shared-workspaces", "cluster.shared_workspaces", path("DIR", &S::shared_workspaces),
            "A directory that all nodes see under the same path: Oriel makes its workspaces in it, "
            "and another node goes on with the sessions of a lost one"},
           {"cluster-credentials", "cluster.credentials", path("FILE", &S::cluster_credentials),
            "Log in to the NATS servers with this .creds file or nkey seed"},
           {"cluster-ca", "cluster.ca", path("FILE", &S::cluster_ca),
            "Check the certificates of the NATS servers against these CAs (PEM)"}}};
}

Group mcp_options() {
  return {"MCP",
          {{"mcp-max-sessions", "mcp.max_sessions", number(&S::mcp_max_sessions, 1, kMany),
            "Maximum number of MCP client sessions; further ones get 503"},
           {"mcp-max-sessions-per-principal", "mcp.max_sessions_per_principal",
            number(&S::mcp_max_sessions_per_principal, 1, kMany),
            "Maximum number of MCP client sessions of one token or login; further ones get 503"},
           {"mcp-max-calls-per-session", "mcp.max_calls_per_session",
            number(&S::mcp_max_calls_per_session, 1, 10'000),
            "Maximum number of running calls of one MCP session; further ones get 429, in a batch "
            "an error"},
           {"mcp-max-streams", "mcp.max_streams", number(&S::mcp_max_streams, 1, 10'000),
            "Maximum number of streams of one MCP session; further ones get 429"},
           {"mcp-max-subscriptions", "mcp.max_subscriptions",
            number(&S::mcp_max_subscriptions, 1, 10'000),
            "Maximum number of resources that one MCP client subscribes to; further ones are "
            "refused"},
           {"mcp-session-ttl", "mcp.session_ttl", duration(&S::mcp_session_ttl, kShort, kYear),
            "An MCP session without a request or an open stream expires after this time"},
           {"mcp-stream-ttl", "mcp.stream_ttl", duration(&S::mcp_stream_ttl, kShort, kYear),
            "How long a disconnected stream is kept for its client to resume"},
           {"mcp-retry", "mcp.retry", duration(&S::mcp_retry, kShort, kLong),
            "Delay before MCP clients reconnect"},
           {"mcp-progress-interval", "mcp.progress_interval",
            duration(&S::mcp_progress_interval, kShort, kLong),
            "A waiting MCP call that has reported nothing for this long reports what the agent is "
            "doing, to clients that want progress"}}};
}

Group sessions_options() {
  return {
      "Agents and sessions",
      {{"agent", "agent", agents(),
        "Adds or replaces an agent; may be repeated. [agents.NAME] in oriel.toml has more "
        "settings"},
       {"default-agent", "sessions.default_agent", default_agent(),
        "The agent of sessions that name none"},
       {"max-sessions", "sessions.max", number(&S::max_sessions, 1, kMany),
        "Maximum number of running agents; further ones get 429"},
       {"max-sessions-per-project", "sessions.max_per_project",
        number(&S::max_sessions_per_project, 1, kMany),
        "Maximum number of running agents of one project"},
       {"max-kept-sessions", "sessions.max_kept", number(&S::max_kept_sessions, 1, kMany),
        "Sessions without a running agent that stay listed and can be resumed"},
       {"max-queued-messages", "sessions.max_queued_messages",
        number(&S::max_queued_messages, 1, kMany),
        "Messages of one session that wait for its task to end; further ones get 429"},
       {"max-line-bytes", "sessions.max_line_bytes", size(&S::max_line_bytes, kKiB, kGiB),
        "Longest line read from an agent; a longer one fails the task"},
       {"max-event-rate", "sessions.max_event_rate", number(&S::max_event_rate, 100, 10'000'000),
        "Events per second read from one agent; a faster agent is slowed down, and no event is "
        "lost"},
       {"start-timeout", "sessions.start_timeout", duration(&S::start_timeout, kShort, kLong),
        "Time for an agent to start and accept messages; then the session fails"},
       {"permission-timeout", "sessions.permission_timeout",
        duration_or_zero(&S::permission_timeout, kShort, kYear),
        "Time to answer an agent's question; then it is denied. 0: no limit"},
       {"task-timeout", "sessions.task_timeout", duration_or_zero(&S::task_timeout, kShort, kYear),
        "Maximum duration of a task; then it is cancelled. 0: no limit"},
       {"cancel-timeout", "sessions.cancel_timeout", duration(&S::cancel_timeout, kShort, kLong),
        "Time for an agent to end a cancelled task; then the agent is stopped"},
       {"stop-idle-after", "sessions.stop_idle_after",
        duration_or_zero(&S::stop_idle_after, kShort, kYear),
        "An agent idle for this long is stopped; the next message resumes it. 0: never"},
       {"stop-timeout", "sessions.stop_timeout", duration(&S::stop_timeout, kShort, kLong),
        "Time for an agent to exit by itself, and again after SIGTERM; then it is killed with its "
        "child processes"},
       {"command-timeout", "sessions.command_timeout", duration(&S::command_timeout, kShort, kLong),
        "Time to store a command to a session, such as a message; then it gets 503"},
       {"retain-workspaces", "sessions.retain_workspaces",
        duration_or_zero(&S::retain_workspaces, seconds(1), hours(24 * 36'500)),
        "Workspaces that Oriel made are removed this long after their session ended, unless they "
        "may have commits that are nowhere else; 0: no limit"},
       {"max-snapshot-bytes", "sessions.max_snapshot_bytes",
        size_or_zero(&S::max_snapshot_bytes, kKiB, kTiB),
        "Files of a workspace that is larger in total are not compared with the start of its "
        "session. 0: none is"},
       {"max-snapshot-files", "sessions.max_snapshot_files",
        number(&S::max_snapshot_files, 1, 1'000'000), "The same for a workspace with more files"}}};
}

Group observed_options() {
  return {
      "Observed agents",
      {{"transcript-roots", "observed.transcript_roots", transcript_roots(),
        "Directories of the transcripts of agents that people run themselves. Transcripts "
        "elsewhere are not read"},
       {"max-observed", "observed.max", number(&S::max_observed, 1, 100'000),
        "Observed agents that stay listed with their turns; beyond it, ended agents are removed "
        "first, least recently updated first"},
       {"max-imported", "observed.max_imported", number(&S::max_imported, 1, 100'000),
        "Imported sessions that stay listed with their turns; beyond it, the oldest are skipped or "
        "removed"},
       {"import-days", "observed.import_days", number(&S::import_days, 1, 36'500),
        "An import reads transcripts written in this many days, unless the request says otherwise"},
       {"observed-silence", "observed.silence", duration(&S::observed_silence, kShort, hours(24)),
        "A working agent without a sign of life for this long is reported as silent"}}};
}

Group uploads_options() {
  return {"Uploads",
          {{"max-upload-bytes", "uploads.max_file_bytes", size(&S::max_upload_bytes, kKiB, kTiB),
            "Largest file sent to a session; a larger one gets 413"},
           {"max-upload-files", "uploads.max_files", number(&S::max_upload_files, 1, 50),
            "Files in one upload; more get 413"},
           {"max-uploads-total", "uploads.max_total_bytes",
            size(&S::max_uploads_total, kKiB, 1024 * kTiB),
            "Total size of the files of all sessions; beyond it uploads get 413"},
           {"upload-types", "uploads.types", media_types(&S::upload_types),
            "Media types that uploaded files may declare; others get 415. Files are only served "
            "back as downloads"}}};
}

Group connections_options() {
  return {"Connection limits",
          {{"max-connections", "limits.max_connections", number(&S::max_connections, 1, kMany),
            "Maximum number of connections, including watchers; beyond it the longest idle one is "
            "closed, or the new one gets 503"},
           {"max-connections-per-address", "limits.max_connections_per_address",
            number(&S::max_connections_per_address, 1, kMany),
            "The same for one IPv4 address, IPv6 /64 network or other user of this machine; the "
            "server's own user has no such limit"},
           {"max-header-bytes", "limits.max_header_bytes", size(&S::max_header_bytes, kKiB, kMiB),
            "Largest request head; a larger one gets 431"},
           {"max-body-bytes", "limits.max_body_bytes", size(&S::max_body_bytes, kKiB, kGiB),
            "Largest request body; a larger one gets 413"},
           {"header-timeout", "limits.header_timeout", duration(&S::header_timeout, kShort, kLong),
            "Time to receive a request head, from its first byte; then 408"},
           {"body-timeout", "limits.body_timeout", duration(&S::body_timeout, kShort, kLong),
            "Time to receive a request body; then 408"},
           {"write-timeout", "limits.write_timeout", duration(&S::write_timeout, kShort, kLong),
            "Time to send a response that is not a stream"},
           {"idle-timeout", "limits.idle_timeout", duration(&S::idle_timeout, kShort, kLong),
            "Time between two requests of one connection"}}};
}

}  // namespace

std::string ServeOption::variable() const {
  std::string name = "ORIEL_" + flag;
  for (char& c : name)
    c = c == '-' ? '_' : static_cast<char>(std::toupper(c));
  return name;
}

const std::vector<ServeOption>& serve_option_table() {
  static const std::vector<ServeOption> kTable = [] {
    std::vector<ServeOption> options;
    for (Group& group :
         std::vector<Group>{network_options(), process_options(), event_stream_options(),
                            store_options(), cluster_options(), mcp_options(), sessions_options(),
                            observed_options(), uploads_options(), connections_options()}) {
      for (ServeOption& option : group.options) {
        option.group = group.heading;
        options.push_back(std::move(option));
      }
    }
    return options;
  }();
  return kTable;
}

}  // namespace oriel
