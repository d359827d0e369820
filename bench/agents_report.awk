# Formats the lines of agent_bench and of time_start (bench/agents.sh) as Markdown. Columns as in agent_bench.cpp; POSIX awk,
# after format.awk.

BEGIN {
  FS = "\t"
  split("copier oriel oriel-cores", targets, " ")
  target_count = 3
  name["copier"] = "plain copier"
  name["oriel"] = "**Oriel**"
  name["oriel-cores"] = "Oriel, all cores"
}

$1 == "agents" {
  has[$2] = 1
  sessions = $3; watchers = $4; rate = $5
  events[$2] = $6; deliveries[$2] = $7
  p50[$2] = $8; p99[$2] = $9; max[$2] = $10
  cpu[$2] = $11; busy[$2] = $12; own[$2] = $13
  bytes[$2] = $14; lost[$2] = $15; doubled[$2] = $16; wrong[$2] = $17 + $18; resident[$2] = $19
}

$1 == "flood" {
  lines = $2; flood_seconds = $3
  calm[1] = $4; calm[2] = $5; calm[3] = $6
  flooded[1] = $7; flooded[2] = $8; flooded[3] = $9
  stored = $10; calm_faults = $11 + $12
  before = $13; peak = $14; rest = $15
}

$1 == "start" { ++starts[$2]; ready[$2, starts[$2]] = $3; answered[$2, starts[$2]] = $4; listed[$2, starts[$2]] = $5 }

# The median of times[what, 1..count].
function median(times, what, count,    i, j, sorted, moved) {
  for (i = 1; i <= count; ++i) {
    moved = times[what, i]
    for (j = i - 1; j >= 1 && sorted[j] > moved; --j) sorted[j + 1] = sorted[j]
    sorted[j + 1] = moved
  }
  return sorted[int((count + 1) / 2)]
}

function stream_table(    t, key) {
  printf "%s sessions at %s events/s each, %s watchers of all of them.\n\n", sessions, rate, watchers
  print "| Server | Events/s | Deliveries/s | p50 ms | p99 ms | max ms | CPU µs per delivery | Server busy | Generator busy | Bytes per event | Lost | Duplicate | Resident |"
  print "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
  for (t = 1; t <= target_count; ++t) {
    key = targets[t]
    if (!(key in has)) continue
    printf "| %s | %s | %s | %s | %s | %s | %.2f | %.0f %% | %.0f %% | %.0f | %s | %s | %s |\n", name[key],
      thousands(events[key]), thousands(deliveries[key]), milliseconds(p50[key]), milliseconds(p99[key]),
      milliseconds(max[key]), cpu[key], busy[key] * 100, own[key] * 100, bytes[key], lost[key], doubled[key],
      mebibytes(resident[key])
  }
  print "\n| Ratio to the plain copier | p50 | p99 | CPU per delivery |"
  print "|---|--:|--:|--:|"
  ratio_row("**Oriel**", "oriel")
  ratio_row("Oriel, all cores", "oriel-cores")
  ratio_row("Noise: the copier's second measurement", "copier-again")
  print ""
}

function ratio_row(label, key) {
  if (key in has && "copier" in has)
    printf "| %s | %s | %s | %s |\n", label, ratio(p50[key], p50["copier"]), ratio(p99[key], p99["copier"]),
      ratio(cpu[key], cpu["copier"])
}

function flood_table() {
  printf "One agent writes %s lines as fast as Oriel reads them, which `--max-event-rate` limits: %s s, %s lines/s. Meanwhile one watcher reads five other sessions at 20 events/s each.\n\n",
    thousands(lines), flood_seconds, thousands(lines / flood_seconds)
  print "| Events of the other sessions | p50 ms | p99 ms | max ms |"
  print "|---|--:|--:|--:|"
  printf "| without the busy session | %s | %s | %s |\n", milliseconds(calm[1]), milliseconds(calm[2]), milliseconds(calm[3])
  printf "| with it | %s | %s | %s |\n", milliseconds(flooded[1]), milliseconds(flooded[2]), milliseconds(flooded[3])
  printf "| ratio | %s | %s | %s |\n", ratio(flooded[1], calm[1]), ratio(flooded[2], calm[2]), ratio(flooded[3], calm[3])
  print "\n| Resident memory before | Maximum | 1 s after | Lines in the journal |"
  print "|--:|--:|--:|--:|"
  printf "| %s | %s | %s | %s |\n\n", mebibytes(before), mebibytes(peak), mebibytes(rest), thousands(stored)
}

function start_row(label, key) {
  printf "| %s | %s | %s | %s |\n", label, milliseconds(median(ready, key, starts[key])),
    milliseconds(median(answered, key, starts[key])), milliseconds(median(listed, key, starts[key]))
}

function start_ratio(times, key) { return ratio(median(times, key, starts[key]), median(times, "none", starts["none"])) }

function start_ratios(label, key) {
  printf "| %s | %s | %s | %s |\n", label, start_ratio(ready, key), start_ratio(answered, key), start_ratio(listed, key)
}

function start_table() {
  printf "Time from the start of the program until it reports ready, until it has answered a first request (`GET /health`, answered after all\n"
  printf "sessions are loaded), and until it has listed the ten newest sessions; medians of %d interleaved starts.\n\n",
    starts["none"]
  print "| Ended sessions in the journal | Ready ms | Answered ms | Listed ms |"
  print "|---|--:|--:|--:|"
  start_row("none", "none")
  start_row("1 000", "full")
  start_ratios("ratio", "full")
  start_ratios("noise: none, second measurement / first", "none-again")
}

function goals_table(    t, key, value) {
  print "| Goal | Measured | Verdict |"
  print "|---|---|---|"
  begin_goal()
  for (t = 2; t <= target_count; ++t)
    if (targets[t] in has) check(name[targets[t]], milliseconds(p99[targets[t]]) " ms", p99[targets[t]] < 5000)
  end_goal("From an agent's write to a watcher's read: p99 below 5 ms")
  begin_goal()
  for (t = 2; t <= target_count; ++t) {
    key = targets[t]
    value = lost[key] + doubled[key] + wrong[key]
    if (key in has) check(name[key], value, value == 0)
  }
  end_goal("Nothing lost, duplicated, out of order or disconnected")
  begin_goal()
  if (lines) check("p99", ratio(flooded[2], calm[2]), flooded[2] < 2 * calm[2])
  end_goal("A busy session slows others by a factor below 2")
  begin_goal()
  if (lines) {
    check("in the journal", thousands(stored), stored == lines)
    check("lost or duplicate in other sessions", calm_faults, calm_faults == 0)
  }
  end_goal("A busy session loses nothing")
  begin_goal()
  if ("full" in starts) {
    value = median(answered, "full", starts["full"]) / median(answered, "none", starts["none"])
    check("ratio", sprintf("%.2f", value), value <= 1.1)
  }
  end_goal("1 000 ended sessions add no measurable time at start (within 10 %)")
  print ""
}

END {
  print "### Many sessions, many watchers\n"
  stream_table()
  if (lines) {
    print "### A busy session beside others\n"
    flood_table()
  }
  if ("full" in starts) {
    print "### Start with ended sessions\n"
    start_table()
  }
  print "### Goals of agents\n"
  goals_table()
}
