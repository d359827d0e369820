# Formats the lines of mcp_bench and store_bench as Markdown. Columns as in mcp_bench.cpp and store_bench.cpp; POSIX awk, after
# format.awk.

BEGIN {
  FS = "\t"
  caller_count = split("sdk sdk-json oriel oriel-cores", callers, " ")
  own_count = split("oriel oriel-cores", own, " ")
  storm_count = split("oriel oriel-cores oriel-cold", storms, " ")
  name["sdk"] = "SDK"
  name["sdk-json"] = "SDK, answers as JSON"
  name["oriel"] = "**Oriel**"
  name["oriel-cores"] = "Oriel, all cores"
  name["oriel-cold"] = "Oriel, cold"
}

$1 == "calls" {
  connections = $3
  calls[$2] = $4; calls_p50[$2] = $5; calls_p99[$2] = $6; calls_max[$2] = $7; calls_cpu[$2] = $8; calls_busy[$2] = $9
}

$1 == "notify" {
  sessions = $3; streams = $4; rate = $5
  notes[$2] = $6; notes_p50[$2] = $7; notes_p99[$2] = $8; notes_max[$2] = $9; notes_cpu[$2] = $10; notes_wrong[$2] = $11
}

$1 == "storm" { storm_streams = $3; storm_events = $4; storm_s[$2] = $5; storm_rate[$2] = $6; storm_wrong[$2] = $7 }

$1 == "start" { start_us[$2, ++starts[$2]] = $3 }

$1 == "idle" { idle_sessions = $3; idle_before = $4; idle_after = $5 }

$1 == "store" { ++store_count; store_case[store_count] = $2; store_streams[store_count] = $3; stored[store_count] = $4; store_ratio[store_count] = $5 }

function calls_table(    t, key) {
  printf "%s connections.\n\n", connections
  print "| Server | Calls/s | p50 ms | p99 ms | max ms | CPU µs per call | Server busy |"
  print "|---|--:|--:|--:|--:|--:|--:|"
  for (t = 1; t <= caller_count; ++t) {
    key = callers[t]
    printf "| %s | %s | %s | %s | %s | %.1f | %.0f %% |\n", name[key], thousands(calls[key]), milliseconds(calls_p50[key]),
      milliseconds(calls_p99[key]), milliseconds(calls_max[key]), calls_cpu[key], calls_busy[key] * 100
  }
  print "\n| Ratio to the SDK | Calls/s | CPU per call | p99 to its p50 |"
  print "|---|--:|--:|--:|"
  for (t = 2; t <= caller_count; ++t) calls_ratio(name[callers[t]], callers[t])
  calls_ratio("Noise: the SDK's second measurement", "sdk-again")
  print ""
}

function calls_ratio(label, key) {
  printf "| %s | %s | %s | %s |\n", label, ratio(calls[key], calls["sdk"]), ratio(calls_cpu[key], calls_cpu["sdk"]),
    ratio(calls_p99[key], calls_p50["sdk"])
}

function notify_table(    t, key) {
  printf "%s sessions at %s events/s each, %s streams, each of one session.\n\n", sessions, rate, streams
  print "| Server | Notifications/s | p50 ms | p99 ms | max ms | CPU µs per notification | Lost or duplicate |"
  print "|---|--:|--:|--:|--:|--:|--:|"
  for (t = 1; t <= own_count; ++t) {
    key = own[t]
    printf "| %s | %s | %s | %s | %s | %.1f | %s |\n", name[key], thousands(notes[key]), milliseconds(notes_p50[key]),
      milliseconds(notes_p99[key]), milliseconds(notes_max[key]), notes_cpu[key], notes_wrong[key]
  }
  print ""
}

function storm_table(    t, key) {
  printf "%s streams with %s missed events each.\n\n", thousands(storm_streams), thousands(storm_events)
  print "| Server | All resumed after | Events/s | Lost or duplicate |"
  print "|---|--:|--:|--:|"
  for (t = 1; t <= storm_count; ++t) {
    key = storms[t]
    printf "| %s | %s s | %s | %s |\n", name[key], storm_s[key], thousands(storm_rate[key]), storm_wrong[key]
  }
  print ""
}

function median_start(key,    i, j, sorted, value) {
  for (i = 1; i <= starts[key]; ++i) {
    value = start_us[key, i]
    for (j = i - 1; j >= 1 && sorted[j] > value; --j) sorted[j + 1] = sorted[j]
    sorted[j + 1] = value
  }
  return sorted[int((starts[key] + 1) / 2)]
}

function store_table(    i) {
  print "Events of 300 bytes in a full store (64 MiB for appends, 640 MiB for replays); a replay reads 100 events of a random stream.\n"
  print "| Operation | Streams | Events/s | Ratio to the first |"
  print "|---|--:|--:|--:|"
  for (i = 1; i <= store_count; ++i)
    printf "| %s | %s | %s | %s |\n", store_case[i], thousands(store_streams[i]), thousands(stored[i]), store_ratio[i]
  print ""
}

function goals_table(    i, t, key) {
  print "| Goal | Measured | Verdict |"
  print "|---|---|---|"
  begin_goal()
  for (t = 1; t <= own_count; ++t) check(name[own[t]], ratio(calls[own[t]], calls["sdk"]), calls[own[t]] >= 10 * calls["sdk"])
  end_goal("`tools/call`: at least 10 times the SDK's rate")
  begin_goal()
  for (t = 1; t <= own_count; ++t)
    check(name[own[t]], ratio(calls_cpu[own[t]], calls_cpu["sdk"]), calls_cpu[own[t]] <= 0.1 * calls_cpu["sdk"])
  end_goal("`tools/call`: at most a tenth of the SDK's CPU per call")
  begin_goal()
  for (t = 1; t <= own_count; ++t)
    check(name[own[t]], milliseconds(calls_p99[own[t]]) " ms", calls_p99[own[t]] < calls_p50["sdk"])
  end_goal("`tools/call`: p99 below the SDK's p50")
  begin_goal()
  for (t = 1; t <= own_count; ++t) check(name[own[t]], milliseconds(notes_p99[own[t]]) " ms", notes_p99[own[t]] < 5000)
  end_goal("From an agent's write to an MCP client's read: p99 below 5 ms")
  begin_goal()
  for (t = 1; t <= storm_count; ++t) check(name[storms[t]], storm_s[storms[t]] " s", storm_s[storms[t]] <= 2)
  end_goal("1 000 streams resume with 1 000 events each in at most 2 s")
  begin_goal()
  for (t = 1; t <= storm_count; ++t) {
    key = storms[t]
    check(name[key], notes_wrong[key] + storm_wrong[key], notes_wrong[key] + storm_wrong[key] == 0)
  }
  end_goal("Nothing lost or duplicated")
  begin_goal()
  check(thousands(idle_sessions) " sessions", mebibytes(idle_after), idle_after <= 60 * 1048576)
  end_goal("10 000 idle sessions with a stream each in at most 60 MiB")
  begin_goal()
  check("median of " starts["stored"], ratio(median_start("stored"), median_start("none")), median_start("stored") <= 1.1 * median_start("none"))
  end_goal("A start with 10 000 stored MCP sessions: at most 1.10 times that with none")
  begin_goal()
  for (i = 1; i <= store_count; ++i)
    if (store_case[i] == "replay") check(thousands(store_streams[i]) " streams", thousands(stored[i]) "/s", stored[i] >= 1000000)
  end_goal("Event store: at least 1 000 000 events/s replayed")
  begin_goal()
  for (i = 1; i <= store_count; ++i)
    if (store_ratio[i] != "1.00") check(store_case[i], store_ratio[i], store_ratio[i] * 1.5 >= 1)
  end_goal("Event store: 10 000 streams cost less than 1.5 times as much as 10")
  print ""
}

END {
  print "### Calls\n"
  calls_table()
  print "### Notifications\n"
  notify_table()
  print "### Resumption of many streams\n"
  storm_table()
  print "### Idle sessions\n"
  printf "%s sessions with an open stream each: %s resident; %s without them.\n\n", thousands(idle_sessions), mebibytes(idle_after),
    mebibytes(idle_before)
  print "### Starts\n"
  printf "%s ms with 10 000 stored MCP sessions, %s ms without any: medians of %d starts each.\n\n", milliseconds(median_start("stored")),
    milliseconds(median_start("none")), starts["stored"]
  print "### Event store\n"
  store_table()
  print "### Goals of MCP\n"
  goals_table()
}
