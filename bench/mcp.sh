# shellcheck shell=bash
# Sourced by script/bench: measures MCP.

readonly mcp_results=$work/mcp.tsv

# measure_mcp_on LABEL TARGET MCP_BENCH-ARGUMENTS...
measure_mcp_on() { measure_by mcp_bench "$mcp_results" "$@"; }

# Streams resume after a restart of the server.
measure_mcp_restarted() {
  local label=$1 target=$2 state=$work/mcp-state
  say "$(printf '%4d s  mcp_bench: %-13s resume after a restart' "$SECONDS" "$label")"
  start_server "$target"
  "${pin_generator[@]}" "$build/bench/mcp_bench" prepare --streams 1000 --state "$state" --port "$port" --server-pid "$server_pid"
  restart_server
  "${pin_generator[@]}" "$build/bench/mcp_bench" resume --state "$state" --label "$label" --port "$port" --server-pid "$server_pid" \
    >>"$mcp_results"
  stop_server
}

# Restarts Oriel over the same data, with nothing of its journal in the page cache.
restart_server() {
  stop_server
  dd of="$server_dir/journal.db" oflag=nocache conv=notrunc,fdatasync count=0 status=none
  dir=$server_dir start_oriel "${pin_server[@]}"
  server_pid=$!
  await_server
}

# time_start LABEL DIR: the time from the start of a server over this data to its being ready.
time_start() {
  local begin=${EPOCHREALTIME//[.,]/} ready end
  exec {ready}< <(exec "${pin_server[@]}" "$build/oriel" serve --listen 127.0.0.1:0 --data-dir "$2" --log-level warn 2>>"$2/log")
  server_pid=$!
  read -r -u "$ready" _
  end=${EPOCHREALTIME//[.,]/}
  printf 'start\t%s\t%d\n' "$1" $((end - begin)) >>"$mcp_results"
  stop_server
  exec {ready}<&-
}

# The starts alternate, so that a slow phase of the machine affects both.
measure_mcp_starts() {
  local none stored
  say "$(printf '%4d s  starts of a server with 10000 stored MCP sessions' "$SECONDS")"
  start_server agents
  none=$server_dir
  stop_server
  start_server agents
  stored=$server_dir
  "$build/bench/mcp_bench" sessions --sessions 10000 --port "$port" --server-pid "$server_pid"
  stop_server
  for _ in {1..21}; do
    time_start none "$none"
    time_start stored "$stored"
  done
}

measure_mcp() {
  measure_mcp_on sdk sdk calls
  measure_mcp_on oriel agents calls --tool session_list
  measure_mcp_on sdk-json sdk-json calls
  measure_mcp_on oriel-cores agents-cores calls --tool session_list
  measure_mcp_on sdk-again sdk calls
  measure_mcp_on oriel agents notify
  measure_mcp_on oriel-cores agents-cores notify
  measure_mcp_on oriel agents storm --streams 1000
  measure_mcp_on oriel-cores agents-cores storm --streams 1000
  measure_mcp_restarted oriel-cold agents
  measure_mcp_on oriel agents idle --sessions 10000
  measure_mcp_starts
  say "$(printf '%4d s  MCP: event store' "$SECONDS")"
  "$build/bench/store_bench" | grep '^store' >>"$mcp_results"
}

sdk_version() { sed -n 's/.*"version": "\(.*\)".*/\1/p' build/mcp-clients/node_modules/@modelcontextprotocol/sdk/package.json | head -n 1; }

report_mcp() {
  cat <<END
$(section_begin mcp)
## MCP

Written by \`script/bench mcp\` on $(date -u +%Y-%m-%d), load average before the run: $load_before.

**Method.** \`bench/mcp_bench.cpp\` (one thread, epoll) is every client: sessions of protocol version 2025-11-25 over keep-alive connections.
*Calls*: each connection sends its next \`tools/call\` when the last one was answered, for 5 s after a warm-up of 1 s. Oriel answers
\`session_list\`; *SDK* (\`bench/mcp_sdk_server.mjs\`) is the server of the TypeScript SDK $(sdk_version) with a tool that returns a constant, and
answers with streams (its default) or with JSON. *Notifications*: sessions of \`bench/paced_agent.cpp\`, each watched by streams of other
clients; latency is from the agent's \`write\` to the client's \`read\`. *Resumption*: streams are disconnected, miss the events of a task, and
all reconnect at once with \`Last-Event-ID\`; the events come from the journal, in the row "cold" from the disk: the server was restarted
meanwhile, and its journal dropped from the page cache. *Starts* are from the start of the process to its being ready. Server and generator have a core each, except in the
rows "all cores". The store is the default one (SQLite).

END
  awk -f bench/format.awk -f bench/mcp_report.awk "$mcp_results"
  section_end mcp
}
