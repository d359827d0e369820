# shellcheck shell=bash
# The part of script/bench that measures agents that people run themselves; script/bench reads it.

readonly turn_results=$work/turns.tsv
readonly observed_agents=200

# measure_hooks LABEL TARGET RATE
measure_hooks() {
  measure_by load_generator "$turn_results" "$1" "$2" --hooks --publishers "$observed_agents" --rate "$3" \
    --watch-path '/api/events?types=turn_created'
}

# measure_events LABEL TARGET RATE: the same way without an agent in it.
measure_events() {
  measure_by load_generator "$turn_results" "$1" "$2" --publishers "$observed_agents" --rate "$3" --watch-path '/api/events?types=bench'
}

measure_turns() {
  local rate
  for rate in 1000 0; do
    measure_events events oriel-sqlite "$rate"
    measure_hooks hooks oriel-sqlite "$rate"
    measure_hooks hooks-cores agents-cores "$rate"
    measure_events events-again oriel-sqlite "$rate"
  done
}

report_turns() {
  cat <<END
$(section_begin turns)
## Turns

Written by \`script/bench turns\` on $(date -u +%Y-%m-%d), load average before the run: $load_before.

**Method.** \`bench/load_generator.cpp --hooks\` posts prompts and answers (\`Stop\`) of $observed_agents agents that somebody runs, by turns, each agent over a connection
of its own, and watches \`/api/events?types=turn_created\`. These are the dearest hooks: each makes a turn and a change of state, stored in one transaction
with the agent's state (SQLite). Latency is from the \`send\` of the hook to the watcher's \`read\` of the turn. *Events* are published to \`/api/events\` instead: the same way without
an agent in it. After 1 s of warm-up it measures for 4 s. Server and generator have a core each, except in the row "all cores".

END
  awk -f bench/format.awk -f bench/turns_report.awk "$turn_results"
  section_end turns
}
