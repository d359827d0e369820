# shellcheck shell=bash
# Sourced by script/bench: measures a long answer beside other sessions.

readonly long_results=$work/long.tsv

# answer LABEL AGENT_BENCH-ARGUMENTS...: also notes what the journal has stored in all.
answer() {
  local label=$1
  shift
  measure_by agent_bench "$long_results" "$label" agents-cores long --sessions 5 --watchers 1 "$@"
  stat --format %s "$server_dir"/journal.db* |
    awk -v label="$label" '{ sum += $1 } END { print "stored\t" label "\t" sum }' >>"$long_results"
}

measure_long() {
  answer control --lines 1 --chunk-bytes 64 --duration 35 # what the other sessions store
  answer long --lines 3000 --chunk-bytes 4096 --duration 10
  answer short --lines 50000 --chunk-bytes 64 --duration 10
}

report_long() {
  cat <<END
$(section_begin long)
## Long answers

Written by \`script/bench long\` on $(date -u +%Y-%m-%d), load average before the run: $load_before.

**Method.** \`bench/agent_bench.cpp\` starts five sessions of 20 events/s each and watches them, for 10 s alone and then while another agent
(\`bench/paced_agent.cpp\`) writes an answer as fast as Oriel reads it, which \`--max-event-rate\` limits. A second watcher reads the answer's
messages, completion and turn, without deltas. *Stored* is the size of the journal after the server has stopped, without the share of
the five sessions, whose cost per event is measured alone. Default options and store (SQLite), nothing pinned.

END
  awk -f bench/format.awk -f bench/long_report.awk "$long_results"
  section_end long
}
