# shellcheck shell=bash
# Sourced by script/bench: measures the import of transcripts.

readonly import_results=$work/import.tsv
import_bytes=1000000000
if [[ $mode == quick ]]; then import_bytes=100000000; fi

# start_import_server DIR PIN...: starts a server that may read the transcripts in DIR. Sets the same variables as start_server.
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
    say "script/bench: the last lines of the server's log:"
    tail -n 20 "$server_log" >&2
    exit 1
  }
  stop_server
}

# The plain reader runs before and after; the difference is the noise of this run.
measure_import() {
  say "$(printf '%4d s  import: generating transcripts' "$SECONDS")"
  "$build/bench/import_bench" generate --dir "$work/transcripts" --bytes "$import_bytes"
  cat "$work"/transcripts/*/*.jsonl >/dev/null # into the page cache, so that the disk is not measured
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

**Method.** \`bench/import_bench.cpp\` generates transcripts of Claude Code, Codex and Droid from the recordings in \`tests/recordings\`: files of
2 MiB with their own ids and times. Long texts of the recordings are shortened, so that a megabyte has more turns than usual: the
worst case. *Plain* reads the files and parses each line with Boost.JSON, nothing else. *Oriel* is a server with the default store
(SQLite) that imports them through \`POST /api/import\`: it finds, parses, correlates, numbers and stores. All files are in the page
cache. Plain and Oriel (all its threads) have one core, except in the row "all cores".

END
  awk -f bench/format.awk -f bench/import_report.awk "$import_results"
  section_end import
}
