# shellcheck shell=bash
# Sourced by script/bench: measures the search index.

readonly search_results=$work/search.tsv

measure_search() {
  say "$(printf '%4d s  search: a million events' "$SECONDS")"
  TMPDIR=$work "$build/bench/search_bench" >>"$search_results"
}

report_search() {
  cat <<END
$(section_begin search)
## Search

Written by \`script/bench search\` on $(date -u +%Y-%m-%d), load average before the run: $load_before.

**Method.** \`bench/search_bench.cpp\` stores a million events of 1 000 sessions in SQLite: messages of 60 words, tool calls of 12
words, results of 50 words. The words follow Zipf's law: the n-th of 50 000 is used 1/n times as often as the first. Then it starts
the index, waits until it has all events, and searches 200 times for each kind of query, one after another, each for 20 results.
At last 16 appenders store events of the same kind as fast as they can, 8 per append, in new journals, with and without an index
that follows them.

END
  awk -f bench/format.awk -f bench/search_report.awk "$search_results"
  section_end search
}
