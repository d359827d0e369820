# shellcheck shell=bash
# Sourced by script/bench: measures the hooks of observed agents.

readonly hook_results=$work/hooks.tsv
readonly observed_agents=200

# post_hooks LABEL TARGET RATE
post_hooks() {
  measure_by load_generator "$hook_results" "$1" "$2" --hooks --publishers "$observed_agents" --rate "$3" \
    --watch-path '/api/events?types=turn_created'
}

# post_events LABEL TARGET RATE: the same load without an agent's state.
post_events() {
  measure_by load_generator "$hook_results" "$1" "$2" --publishers "$observed_agents" --rate "$3" --watch-path '/api/events?types=bench'
}

measure_hooks() {
  local rate
  for rate in 1000 0; do
    post_events events oriel "$rate"
    post_hooks hooks oriel "$rate"
    post_hooks hooks-cores agents-cores "$rate"
    post_events events-again oriel "$rate"
  done
}

report_hooks() {
  cat <<END
$(section_begin hooks)
## Hooks of observed agents

Written by \`script/bench hooks\` on $(date -u +%Y-%m-%d), load average before the run: $load_before.

**Method.** \`bench/load_generator.cpp --hooks\` posts prompts (\`UserPromptSubmit\`) and answers (\`Stop\`) of $observed_agents observed agents in
turn, each agent over its own connection, and watches \`/api/events?types=turn_created\`. These are the most expensive hooks: each
creates a turn and a change of state, stored with the agent's state in one transaction (SQLite). Latency is from the \`send\` of the
hook to the watcher's \`read\` of the turn. *Events* are published to \`/api/events\` instead, without an agent's state. It measures for
4 s after a warm-up of 1 s. Server and generator have a core each, except in the row "all cores".

END
  awk -f bench/format.awk -f bench/hooks_report.awk "$hook_results"
  section_end hooks
}
