# shellcheck shell=bash
# The part of script/bench that measures MCP; script/bench reads it.

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

**Method.** \`bench/mcp_bench.cpp\`, one thread with epoll, is every client: sessions of 2025-11-25 over keep-alive connections. *Calls*: each
connection sends its next \`tools/call\` when the last was answered, 1 s of warm-up, then 5 s. Oriel answers its own \`session_list\`; *SDK*
(\`bench/mcp_sdk_server.mjs\`) is the TypeScript SDK $(sdk_version)'s server with a tool that returns a constant, answering with streams (its default)
or with JSON. *Notifications*: sessions of \`bench/paced_agent.cpp\`, each watched by streams of other clients; latency is from the agent's
\`write\` to the client's \`read\`. *Storm*: streams are cut, miss the events of a turn, and all come back at once with \`Last-Event-ID\`. Server and
generator have a core each, except in the rows "all cores". The journal is the default one (SQLite); \`--event-store-bytes 256MiB\` holds what
the storm's streams have missed.

END
  awk -f bench/format.awk -f bench/mcp_report.awk "$mcp_results"
  section_end mcp
}
