# Formats the lines of search_bench as Markdown. Columns as in search_bench.cpp; POSIX awk, after format.awk.

BEGIN { FS = "\t" }

$1 == "build" { events = $2; entries = $3; rate = $4; text = $5; size = $6 }

$1 == "query" { kind[++kinds] = $2; found[kinds] = $3; median[kinds] = $4; p99[kinds] = $5; cpu[kinds] = $6; cpu99[kinds] = $7 }

$1 == "append" {
  if (!($2 in runs)) case_name[++cases] = $2
  ++runs[$2]
  speed[$2, runs[$2]] = $3
  append_median[$2, runs[$2]] = $4
  append_p99[$2, runs[$2]] = $5
}

# The middle one of an odd number of runs.
function middle(values, key,    i, k, lower) {
  for (i = 1; i <= runs[key]; ++i) {
    lower = 0
    for (k = 1; k <= runs[key]; ++k)
      if (values[key, k] < values[key, i] || (values[key, k] == values[key, i] && k < i)) ++lower
    if (lower == int(runs[key] / 2)) return values[key, i]
  }
  return 0
}

END {
  print "| Index of " thousands(events) " events | |"
  print "|---|--:|"
  printf "| Made from the journal, events/s | %s |\n", thousands(rate)
  printf "| Searched entries | %s |\n", thousands(entries)
  printf "| Text, bytes per entry | %.0f |\n", text / entries
  printf "| Index, bytes per entry | %.0f |\n", size / entries
  print "\n| Search for | Results | p50 ms | p99 ms | CPU p50 ms | CPU p99 ms |"
  print "|---|--:|--:|--:|--:|--:|"
  for (i = 1; i <= kinds; ++i)
    printf "| %s | %.1f | %.2f | %.2f | %.2f | %.2f |\n", kind[i], found[i], median[i], p99[i], cpu[i], cpu99[i]
  print "\n| Appends, median of " runs[case_name[1]] " runs | Events/s | p50 ms | p99 ms |"
  print "|---|--:|--:|--:|"
  for (i = 1; i <= cases; ++i)
    printf "| %s | %s | %.2f | %.2f |\n", case_name[i], thousands(middle(speed, case_name[i])), middle(append_median, case_name[i]), middle(append_p99, case_name[i])
  print "\n### Goals of search\n"
  print "| Goal | Measured | Verdict |"
  print "|---|---|---|"
  begin_goal()
  for (i = 1; i <= kinds; ++i) if (p99[i] > worst) { worst = p99[i]; slowest = kind[i] }
  check(slowest, sprintf("%.2f ms", worst), worst < 100)
  end_goal("A search in " thousands(events) " events in less than 100 ms, 99th percentile")
  print ""
}
