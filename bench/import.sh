# shellcheck shell=bash
# The part of script/bench that measures the import of transcripts; script/bench reads it.

readonly import_results=$work/import.tsv
import_bytes=1000000000
if [[ $mode == quick ]]; then import_bytes=100000000; fi

# A server that may read the transcripts. Sets what start_server sets.
start_import_server() {
  local oriel_options=(--threads 1 --transcript-roots "$1" --max-imported 100000) dir
  port=$(free_port)
  dir=$(mktemp -d "$work/import.XXXXXX")
  start_oriel "${@:2}"
  server_pid=$!
  server_dir=$dir
  server_log=$dir/log
  await_server
  measured_pid=$server_pid
}

# measure_import_on LABEL PIN...
measure_import_on() {
  local label=$1
  shift
  say "$(printf '%4d s  import: %s' "$SECONDS" "$label")"
  start_import_server "$work/transcripts" "$@"
  "$build/bench/import_bench" oriel --label "$label" --port "$port" --server-pid "$measured_pid" >>"$import_results" || {
    say "the last lines of the server's log:"
    tail -n 20 "$server_log" >&2
    exit 1
  }
  stop_server
}

# The plain reader before and after: how far the two differ is the noise of this run.
measure_import() {
  say "$(printf '%4d s  import: transcripts are made' "$SECONDS")"
  "$build/bench/import_bench" generate --dir "$work/transcripts" --bytes "$import_bytes"
  cat "$work"/transcripts/*/*.jsonl >/dev/null # so that no disk is measured
  "${pin_server[@]}" "$build/bench/import_bench" plain --label plain --dir "$work/transcripts" >>"$import_results"
  measure_import_on oriel "${pin_server[@]}"
  measure_import_on oriel-cores env
  "${pin_server[@]}" "$build/bench/import_bench" plain --label plain-again --dir "$work/transcripts" >>"$import_results"
  rm -rf "$work/transcripts"
}

report_import() {
  cat <<END
$(section_begin import)
## Import of transcripts

Written by \`script/bench import\` on $(date -u +%Y-%m-%d), load average before the run: $load_before.

**Method.** \`bench/import_bench.cpp\` makes transcripts of Claude Code, Codex and Droid from the recordings in \`tests/recordings\`, each with ids and
times of its own, files of 2 MiB. Long texts of the recordings are cut, so that a megabyte has more turns than in life: the worst case.
*Plain* reads the files and parses each line with Boost.JSON, and does nothing else. *Oriel* is a server with the default store
(SQLite) that imports them through \`POST /api/import\`: finds, parses, binds, numbers and stores. All files are in the page cache. Plain and
Oriel have one core, all of Oriel's threads together, except in the row "all cores".

END
  awk -f bench/format.awk -f bench/import_report.awk "$import_results"
  section_end import
}
