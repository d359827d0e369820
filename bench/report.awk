# Turns the lines of load_generator and journal_bench into Markdown: tables, ratios, goals.
# The columns are those of load_generator.cpp and journal_bench.cpp; POSIX awk, after format.awk.

BEGIN {
  FS = "\t"
  split("minimal parsing nchan oriel oriel-cores oriel-sqlite", targets, " ")
  target_count = 6
  name["minimal"] = "minimal"
  name["parsing"] = "parsing"
  name["nchan"] = "nchan"
  name["oriel"] = "**Oriel**"
  name["oriel-cores"] = "Oriel, all cores"
  name["oriel-sqlite"] = "Oriel, SQLite"
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
  lost[key] = $15; wrong[key] = $16 + $17; cut[key] = $18; refused[key] = $19
}

$1 == "idle" { idle_count = $3; fresh[$2] = $4; used[$2] = $5 }

$1 == "journal" {
  ++journal_count
  engine[journal_count] = $2; held[journal_count] = $3; appends[journal_count] = $4
  append_p50[journal_count] = $6; append_p99[journal_count] = $7
}

function rate_of(point,    parts) { split(point, parts, SUBSEP); return parts[2] }
function watchers_of(point,    parts) { split(point, parts, SUBSEP); return parts[1] }
function spoken(point) { return watchers_of(point) (rate_of(point) == "max" ? " at max" : " at " rate_of(point) "/s") }

function noise(second, first) { return second > 0 ? ratio(second, first) : "-" }

function fan_out_table(rate,    i, t, key) {
  print "| Watchers | Server | Events/s | Deliveries/s | p50 ms | p99 ms | max ms | CPU µs per delivery | Server busy | Generator busy | Events per read | Bytes per event | Lost | Cut off |"
  print "|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
  for (i = 1; i <= point_count; ++i) {
    if (rate_of(points[i]) != rate) continue
    for (t = 1; t <= target_count; ++t) {
      key = targets[t] SUBSEP points[i]
      if (!(key in has)) continue
      printf "| %s | %s | %s | %s | %s | %s | %s | %.2f | %.0f %% | %.0f %% | %.1f | %.0f | %s | %s |\n",
        watchers_of(points[i]), name[targets[t]], thousands(events[key]), thousands(deliveries[key]),
        milliseconds(p50[key]), milliseconds(p99[key]), milliseconds(max[key]), cpu[key], busy[key] * 100, own[key] * 100,
        per_read[key], bytes[key], lost[key], cut[key]
    }
  }
  print ""
}

function ratio_table(    i, o, m, n, a) {
  print "Noise: the minimal server's second measurement / its first.\n"
  print "| Watchers, rate | CPU / minimal | CPU / nchan | p99 / minimal | p99 / nchan | Deliveries/s / minimal | Deliveries/s / nchan | Noise: CPU | p99 | Deliveries/s |"
  print "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
  for (i = 1; i <= point_count; ++i) {
    o = "oriel" SUBSEP points[i]; m = "minimal" SUBSEP points[i]; n = "nchan" SUBSEP points[i]
    a = "minimal-again" SUBSEP points[i]
    if (!(o in has)) continue
    printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", spoken(points[i]), ratio(cpu[o], cpu[m]), ratio(cpu[o], cpu[n]),
      ratio(p99[o], p99[m]), ratio(p99[o], p99[n]), ratio(deliveries[o], deliveries[m]), ratio(deliveries[o], deliveries[n]),
      noise(cpu[a], cpu[m]), noise(p99[a], p99[m]), noise(deliveries[a], deliveries[m])
  }
  print ""
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
  print "Events of 300 bytes, 64 appenders, from the call of `append` to its commit; 8 events an append unless said.\n"
  print "| Engine | Events held before | Events/s | p50 ms | p99 ms |"
  print "|---|--:|--:|--:|--:|"
  for (i = 1; i <= journal_count; ++i)
    printf "| %s | %s | %s | %s | %s |\n", engine[i], thousands(held[i]), thousands(appends[i]), append_p50[i], append_p99[i]
  print ""
}

# Compares one figure of Oriel with another server's, at the points of one rate or of all.
function ratio_goal(goal, figure, other, rate, limit, strictly,    i, o, r, value, is_met) {
  begin_goal()
  for (i = 1; i <= point_count; ++i) {
    o = "oriel" SUBSEP points[i]; r = other SUBSEP points[i]
    if (!(o in has) || !(r in has) || (rate != "" && rate_of(points[i]) != rate)) continue
    value = figure == "cpu" ? cpu[o] / cpu[r] : p99[o] / p99[r]
    is_met = strictly ? value < limit : value <= limit
    check(spoken(points[i]), sprintf("%.3f", value), is_met)
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
    bad = lost[key] + wrong[key] + cut[key] + refused[key]
    check(spoken(points[i]), bad, bad == 0)
  }
  end_goal("Nothing lost, doubled, disordered, cut off or refused")
  begin_goal()
  if ("oriel" in used) {
    high = fresh["oriel"] > used["oriel"] ? fresh["oriel"] : used["oriel"]
    check("Oriel", sprintf("%.2f KiB", high / 1024), high <= 4096)
  }
  end_goal("At most 4 KiB of process memory per idle connection")
  begin_goal()
  for (i = 1; i <= journal_count; ++i) {
    if (engine[i] != "sqlite") continue
    check(thousands(held[i]) " held", thousands(appends[i]) "/s", appends[i] >= 100000)
    if (low == "" || held[i] + 0 < held[low] + 0) low = i
    if (top == "" || held[i] + 0 > held[top] + 0) top = i
  }
  end_goal("SQLite journal: at least 100 000 events/s")
  begin_goal()
  if (low != "" && low != top)
    check("rate with " thousands(held[top]) " held / with " thousands(held[low]), ratio(appends[top], appends[low]),
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
  goals_table()
}
