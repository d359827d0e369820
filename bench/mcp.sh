# shellcheck shell=bash
# Sourced by script/bench: measures MCP.

readonly mcp_results=$work/mcp.tsv

# measure_mcp_on LABEL TARGET MCP_BENCH-ARGUMENTS...
measure_mcp_on() { measure_by mcp_bench "$mcp_results" "$@"; }

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
  measure_mcp_on oriel agents idle --sessions 10000
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
all reconnect at once with \`Last-Event-ID\`. Server and generator have a core each, except in the rows "all cores". The store is the
default one (SQLite); \`--event-store-bytes 256MiB\` keeps the events that the streams have missed.

END
  awk -f bench/format.awk -f bench/mcp_report.awk "$mcp_results"
  section_end mcp
}
