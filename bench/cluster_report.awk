# Formats the lines of cluster_bench as Markdown. Columns as in cluster_bench.cpp; POSIX awk, after format.awk.

BEGIN { FS = "\t" }

$1 == "cluster" && $2 == "announced" { announced_rate = $3; announced_p50 = $6; announced_p99 = $7 }

$1 == "cluster" && $2 == "catch up" { entries = $3; catch_up = $4 }

$1 == "cluster" && $2 == "snapshot" { events = $3; size = $4; snapshot = $5; p99_before = $6; p99_meanwhile = $7 }

$1 == "cluster" && $2 !~ /^(announced|catch up|snapshot)$/ {
  ++count
  name[count] = $2; rate[count] = $3; group[count] = $4; share[count] = $5; p50[count] = $6; p99[count] = $7
}

END {
  print "| Appends | Events/s | Events per message | Events/s / bare | p50 ms | p99 ms |"
  print "|---|--:|--:|--:|--:|--:|"
  for (i = 1; i <= count; ++i)
    printf "| %s | %s | %.1f | %.2f | %.2f | %.2f |\n", name[i], thousands(rate[i]), group[i], share[i], p50[i], p99[i]
  printf "| announced on the other node | %s | - | - | %.2f | %.2f |\n", thousands(announced_rate), announced_p50, announced_p99
  print "\n| A node joins | Takes | Rate | p99 of announcements meanwhile |"
  print "|---|--:|--:|--:|"
  printf "| and reads %s entries from the log | %.1f s | %s entries/s | - |\n", thousands(entries), catch_up, thousands(entries / catch_up)
  printf "| and takes a snapshot of %s events, %d MiB | %.1f s | %d MiB/s | %.2f ms, before %.2f ms |\n", thousands(events), size, snapshot, size / snapshot, p99_meanwhile, p99_before
  print "\n### Goals of clusters\n"
  print "| Goal | Measured | Verdict |"
  print "|---|---|---|"
  begin_goal()
  if (count > 0) check(name[1], thousands(rate[1]) " events/s", rate[1] >= 25000)
  end_goal("At least 25 000 events/s with 64 sessions")
  begin_goal()
  for (i = 1; i <= count; ++i) check(name[i], sprintf("%.2f", share[i]), share[i] >= 0.5)
  end_goal("At least half of bare publishers")
  begin_goal()
  check("announced", sprintf("%.2f ms", announced_p99), announced_p99 <= 5)
  end_goal("Announced on the other node in at most 5 ms, 99th percentile")
  begin_goal()
  check("catch up", sprintf("%.1f s", catch_up), catch_up <= 5)
  end_goal("100 000 entries read from the log in at most 5 s")
  begin_goal()
  check("snapshot", sprintf("%.1f s", snapshot), snapshot <= 10)
  end_goal("A snapshot of 1 000 000 events in at most 10 s")
  begin_goal()
  check("announced meanwhile", sprintf("%.2f times", p99_meanwhile / p99_before), p99_meanwhile <= 2 * p99_before)
  end_goal("Meanwhile announced in at most twice the time, 99th percentile")
  print ""
}
