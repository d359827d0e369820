# shellcheck shell=bash
# Sourced by script/bench: measures sessions and their agents.

readonly agent_results=$work/agents.tsv
readonly start_runs=25

# measure_agents_on LABEL TARGET AGENT_BENCH-ARGUMENTS...
measure_agents_on() { measure_by agent_bench "$agent_results" "$@"; }

# ask PATH: sends a request; fails unless the response is 200.
ask() {
  local connection line
  exec {connection}<>"/dev/tcp/127.0.0.1/$port"
  printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' "$1" "$port" >&"$connection"
  read -r -t 30 line <&"$connection" || true
  exec {connection}>&-
  if [[ $line != *" 200 "* ]]; then
    say "GET $1: $line"
    exit 1
  fi
}

# time_start LABEL DIR: measures the time from the start until the server reports ready, answers a request, and lists sessions.
time_start() {
  local label=$1 dir=$2 begin ready answered listed line output
  port=$(free_port)
  begin=${EPOCHREALTIME//[!0-9]/}
  exec {output}< <(exec "$build/oriel" serve --listen "127.0.0.1:$port" --data-dir "$dir" --log-level warn 2>"$dir.log")
  server_pid=$!
  read -r -t 60 line <&"$output" || true
  ready=${EPOCHREALTIME//[!0-9]/}
  if [[ $line != "Oriel is ready"* ]]; then
    say "script/bench: the server did not start; the last lines of its log:"
    tail -n 20 "$dir.log" >&2
    exit 1
  fi
  ask /health
  answered=${EPOCHREALTIME//[!0-9]/}
  ask '/api/sessions?limit=10'
  listed=${EPOCHREALTIME//[!0-9]/}
  printf 'start\t%s\t%s\t%s\t%s\n' "$label" $((ready - begin)) $((answered - begin)) $((listed - begin)) >>"$agent_results"
  stop_server
  exec {output}<&-
}

measure_starts() {
  local none=$work/none full i
  say "$(printf '%4d s  agents: starts' "$SECONDS")"
  start_server agents-cores
  full=$server_dir
  "$build/bench/agent_bench" fill --port "$port" --sessions 1000
  stop_server
  mkdir "$none"
  for ((i = 0; i <= start_runs; ++i)); do
    time_start none "$none"
    time_start full "$full"
    time_start none-again "$none"
    if ((i == 0)); then sed -i '/^start/d' "$agent_results"; fi # the first start creates the database
  done
}

measure_agents() {
  measure_agents_on copier copier stream
  measure_agents_on oriel agents stream
  measure_agents_on oriel-cores agents-cores stream
  measure_agents_on copier-again copier stream
  measure_agents_on flood agents-cores flood --sessions 5 --watchers 1 --duration 50 # as long as the flood takes
  measure_starts
}

report_agents() {
  cat <<END
$(section_begin agents)
## Agents

Written by \`script/bench agents\` on $(date -u +%Y-%m-%d), load average before the run: $load_before.

**Method.** \`bench/agent_bench.cpp\` starts sessions over REST and watches \`/api/events?types=delta\`. Their agent, \`bench/paced_agent.cpp\`,
speaks ACP and writes one line per event, with a number and the time just before the write. Latency is from the agent's \`write\` to the
watcher's \`read\`; loss and duplicates are counted per watcher and session. *Oriel*: \`--threads 1\` and the default store (SQLite), agents
on the server's core; "all cores": default options, nothing pinned. *plain copier* (\`bench/plain_copier.cpp\`): copies the same agents'
lines from their pipes to the same watchers by one \`read\` and one \`send\` each; it parses and stores nothing. It measures for 8 s after
a warm-up of 5 s; without the busy session for 50 s.

END
  awk -f bench/format.awk -f bench/agents_report.awk "$agent_results"
  section_end agents
}
