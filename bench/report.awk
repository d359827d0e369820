# Formats the lines of load_generator and journal_bench as Markdown. Columns as in load_generator.cpp and journal_bench.cpp; POSIX
# awk, after format.awk.

BEGIN {
  FS = "\t"
  target_count = split("minimal parsing nchan oriel oriel-memory oriel-cores", targets, " ")
  name["minimal"] = "minimal"
  name["parsing"] = "parsing"
  name["nchan"] = "nchan"
  name["oriel"] = "**Oriel**"
  name["oriel-memory"] = "Oriel, memory"
  name["oriel-cores"] = "Oriel, all cores"
}

$1 == "fanout" {
  point = $3 SUBSEP $4
  if (!(point in known)) { known[point] = 1; points[++point_count] = point }
  key = $2 SUBSEP point
  has[key] = 1
  events[key] = $5; deliveries[key] = $6
  p50[key] = $7; p99[key] = $8; max[key] = $9
  cpu[key] = $10; busy[key] = $11; own[key] = $12
  per_read[key] = $13; bytes[key] = $14
  lost[key] = $15; wrong[key] = $16 + $17; disconnected[key] = $18; rejected[key] = $19
}

$1 == "idle" { idle_count = $3; fresh[$2] = $4; used[$2] = $5 }

$1 == "journal" {
  ++journal_count
  engine[journal_count] = $2; held[journal_count] = $3; appends[journal_count] = $4
  append_p50[journal_count] = $6; append_p99[journal_count] = $7
}

function rate_of(point,    parts) { split(point, parts, SUBSEP); return parts[2] }
function watchers_of(point,    parts) { split(point, parts, SUBSEP); return parts[1] }
function label(point) { return watchers_of(point) (rate_of(point) == "max" ? " at max" : " at " rate_of(point) "/s") }

function fan_out_table(rate,    i, t, key) {
  print "| Watchers | Server | Events/s | Deliveries/s | p50 ms | p99 ms | max ms | CPU µs per delivery | Server busy | Generator busy | Events per read | Bytes per event | Lost | Disconnected |"
  print "|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
  for (i = 1; i <= point_count; ++i) {
    if (rate_of(points[i]) != rate) continue
    for (t = 1; t <= target_count; ++t) {
      key = targets[t] SUBSEP points[i]
      if (!(key in has)) continue
      printf "| %s | %s | %s | %s | %s | %s | %s | %.2f | %.0f %% | %.0f %% | %.1f | %.0f | %s | %s |\n",
        watchers_of(points[i]), name[targets[t]], thousands(events[key]), thousands(deliveries[key]),
        milliseconds(p50[key]), milliseconds(p99[key]), milliseconds(max[key]), cpu[key], busy[key] * 100, own[key] * 100,
        per_read[key], bytes[key], lost[key], disconnected[key]
    }
  }
  print ""
}

function ratio_table(    i) {
  print "Noise: the minimal server's second measurement / its first.\n"
  print "| Watchers, rate | Server | CPU / minimal | CPU / nchan | p99 / minimal | p99 / nchan | Deliveries/s / minimal | Deliveries/s / nchan |"
  print "|---|---|--:|--:|--:|--:|--:|--:|"
  for (i = 1; i <= point_count; ++i) {
    ratio_row(points[i], "oriel", name["oriel"])
    ratio_row(points[i], "oriel-memory", name["oriel-memory"])
    ratio_row(points[i], "minimal-again", "noise")
  }
  print ""
}

function ratio_row(point, target, label_of_target,    o, m, n) {
  o = target SUBSEP point; m = "minimal" SUBSEP point; n = (target == "minimal-again" ? "none" : "nchan") SUBSEP point
  if (!(o in has)) return
  printf "| %s | %s | %s | %s | %s | %s | %s | %s |\n", label(point), label_of_target, ratio(cpu[o], cpu[m]), ratio(cpu[o], cpu[n]),
    ratio(p99[o], p99[m]), ratio(p99[o], p99[n]), ratio(deliveries[o], deliveries[m]), ratio(deliveries[o], deliveries[n])
}

function idle_table(    t) {
  printf "Process memory (Pss) per connection, %s connections; the kernel's socket buffers are not in it.\n\n", idle_count
  print "| Server | Before its first event | After 20 events |"
  print "|---|--:|--:|"
  for (t = 1; t <= target_count; ++t)
    if (targets[t] in fresh)
      printf "| %s | %.2f KiB | %.2f KiB |\n", name[targets[t]], fresh[targets[t]] / 1024, used[targets[t]] / 1024
  print ""
}

function journal_table(    i) {
  print "Events of 300 bytes, 64 appenders, from the call of `append` to its commit; 8 events per append unless noted.\n"
  print "| Engine | Events stored before | Events/s | p50 ms | p99 ms |"
  print "|---|--:|--:|--:|--:|"
  for (i = 1; i <= journal_count; ++i)
    printf "| %s | %s | %s | %s | %s |\n", engine[i] == "SQLite" ? "**SQLite**" : engine[i], thousands(held[i]), thousands(appends[i]), append_p50[i], append_p99[i]
  print ""
}

# Compares CPU or p99 of Oriel with another server, at the points of one rate or of all.
function ratio_goal(goal, figure, other, rate, limit, strictly,    i, o, r, value, is_met) {
  begin_goal()
  for (i = 1; i <= point_count; ++i) {
    o = "oriel" SUBSEP points[i]; r = other SUBSEP points[i]
    if (!(o in has) || !(r in has) || (rate != "" && rate_of(points[i]) != rate)) continue
    value = figure == "cpu" ? cpu[o] / cpu[r] : p99[o] / p99[r]
    is_met = strictly ? value < limit : value <= limit
    check(label(points[i]), sprintf("%.3f", value), is_met)
  }
  end_goal(goal)
}

function goals_table(    i, key, low, top, high, bad) {
  print "| Goal | Measured | Verdict |"
  print "|---|---|---|"
  ratio_goal("CPU per delivery at most 1.2 × minimal at 50 events/s", "cpu", "minimal", "50", 1.2, 0)
  ratio_goal("CPU per delivery below minimal at saturation", "cpu", "minimal", "max", 1, 1)
  ratio_goal("CPU per delivery at most 0.6 × nchan everywhere", "cpu", "nchan", "", 0.6, 0)
  ratio_goal("p99 below nchan's at every point", "p99", "nchan", "", 1, 1)
  begin_goal()
  for (i = 1; i <= point_count; ++i) {
    key = "oriel" SUBSEP points[i]
    if (!(key in has)) continue
    bad = lost[key] + wrong[key] + disconnected[key] + rejected[key]
    check(label(points[i]), bad, bad == 0)
  }
  end_goal("Nothing lost, duplicated, out of order, disconnected or rejected")
  begin_goal()
  if ("oriel" in used) {
    high = fresh["oriel"] > used["oriel"] ? fresh["oriel"] : used["oriel"]
    check("Oriel", sprintf("%.2f KiB", high / 1024), high <= 4096)
  }
  end_goal("At most 4 KiB of process memory per idle connection")
  begin_goal()
  for (i = 1; i <= journal_count; ++i) {
    if (engine[i] != "SQLite") continue
    check(thousands(held[i]) " stored", thousands(appends[i]) "/s", appends[i] >= 100000)
    if (low == "" || held[i] + 0 < held[low] + 0) low = i
    if (top == "" || held[i] + 0 > held[top] + 0) top = i
  }
  end_goal("SQLite journal: at least 100 000 events/s")
  begin_goal()
  if (low != "" && low != top)
    check("rate with " thousands(held[top]) " stored / with " thousands(held[low]), ratio(appends[top], appends[low]),
          appends[top] >= 0.8 * appends[low])
  end_goal("SQLite journal: an append costs the same at any size (within 20 %)")
  print ""
}

END {
  print "## Fan-out at 50 events/s\n"
  fan_out_table("50")
  print "## Fan-out as fast as possible\n"
  fan_out_table("max")
  print "## Memory per idle connection\n"
  idle_table()
  if (journal_count) {
    print "## Journal\n"
    journal_table()
  }
  print "## Oriel's ratios\n"
  ratio_table()
  print "## Goals\n"
  print "A goal missed with few watchers shows the cost of publishing: Oriel parses, numbers and stores each event, while minimal and"
  print "nchan forward the body, and few deliveries share that cost. With many watchers at 50 events/s, one write per watcher and event"
  print "dominates, which every server pays: compare minimal's own ratio to nchan. Differences below the noise are not meaningful.\n"
  goals_table()
}
