# Formats load_generator's lines about hooks as Markdown. Columns as in load_generator.cpp; POSIX awk, after format.awk.

BEGIN {
  FS = "\t"
  row_count = split("events hooks hooks-cores", rows, " ")
  own_count = split("hooks hooks-cores", own, " ")
  name["events"] = "Events"
  name["hooks"] = "**Hooks**"
  name["hooks-cores"] = "Hooks, all cores"
}

$1 == "fanout" {
  key = $2 SUBSEP $4
  accepted[key] = $5; p50[key] = $7; p99[key] = $8; most[key] = $9; cpu[key] = $10; busy[key] = $11
  wrong[key] = $15 + $16 + $17 + $18 + $19
}

function table(rate,    r, key) {
  print "| Load | Accepted/s | p50 ms | p99 ms | max ms | CPU µs each | Server busy | Lost, duplicate, rejected |"
  print "|---|--:|--:|--:|--:|--:|--:|--:|"
  for (r = 1; r <= row_count; ++r) {
    key = rows[r] SUBSEP rate
    printf "| %s | %s | %s | %s | %s | %.0f | %.0f %% | %s |\n", name[rows[r]], thousands(accepted[key]), milliseconds(p50[key]),
      milliseconds(p99[key]), milliseconds(most[key]), cpu[key], busy[key] * 100, wrong[key]
  }
  printf "\nHooks to events: %s times the CPU, %s times the rate. Noise, the second measurement of events: %s and %s.\n\n",
    ratio(cpu["hooks", rate], cpu["events", rate]), ratio(accepted["hooks", rate], accepted["events", rate]),
    ratio(cpu["events-again", rate], cpu["events", rate]), ratio(accepted["events-again", rate], accepted["events", rate])
}

function goals_table(    r, key) {
  print "| Goal | Measured | Verdict |"
  print "|---|---|---|"
  begin_goal()
  for (r = 1; r <= own_count; ++r) check(name[own[r]], milliseconds(p99[own[r], "1000"]) " ms", p99[own[r], "1000"] < 10000)
  end_goal("Latency at 1 000 hooks/s: p99 below 10 ms")
  begin_goal()
  for (r = 1; r <= own_count; ++r) check(name[own[r]], thousands(accepted[own[r], "max"]) "/s", accepted[own[r], "max"] >= 1000)
  end_goal("1 000 hooks/s sustained")
  begin_goal()
  for (r = 1; r <= own_count; ++r) {
    key = wrong[own[r], "1000"] + wrong[own[r], "max"]
    check(name[own[r]], key, key == 0)
  }
  end_goal("Nothing lost, duplicated or rejected")
  print ""
}

END {
  print "### 1 000 hooks/s\n"
  table("1000")
  print "### As fast as possible\n"
  table("max")
  print "### Goals of hooks\n"
  goals_table()
}
