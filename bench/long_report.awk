# Formats the lines of agent_bench about long answers, and the sizes of their journals (bench/long.sh), as Markdown. Columns as in
# agent_bench.cpp; POSIX awk, after format.awk.

BEGIN {
  FS = "\t"
  row_count = split("long short", rows, " ")
}

$1 == "long" {
  has[$2] = 1
  bytes[$2] = $3; piece[$2] = $4; seconds[$2] = $5
  alone_p50[$2] = $6; alone_p99[$2] = $7; alone_max[$2] = $8
  beside_p50[$2] = $9; beside_p99[$2] = $10; beside_max[$2] = $11
  sent[$2] = $12; faults[$2] = $13 + $14
  memory[$2] = $16 - $15; others[$2] = $18
}

$1 == "stored" { total[$2] = $3 }

# What the answer itself takes in the journal.
function stored(key) { return total[key] - total["control"] * others[key] / others["control"] }

function label(key) { return sprintf("%s bytes in pieces of %s", thousands(bytes[key]), thousands(piece[key])) }

function cost_table(    r, key) {
  print "| Answer | Seconds | Stored per byte | Sent per byte | Memory per byte |"
  print "|---|--:|--:|--:|--:|"
  for (r = 1; r <= row_count; ++r) {
    key = rows[r]
    if (key in has)
      printf "| %s | %s | %.2f | %.2f | %.2f |\n", label(key), seconds[key], stored(key) / bytes[key], sent[key] / bytes[key],
        memory[key] / bytes[key]
  }
  print ""
}

function latency_table(    r, key) {
  print "| Events of the other sessions | p50 ms | p99 ms | max ms | p99 ratio |"
  print "|---|--:|--:|--:|--:|"
  for (r = 1; r <= row_count; ++r) {
    key = rows[r]
    if (!(key in has)) continue
    printf "| without the answer | %s | %s | %s | |\n", milliseconds(alone_p50[key]), milliseconds(alone_p99[key]),
      milliseconds(alone_max[key])
    printf "| beside %s | %s | %s | %s | %s |\n", label(key), milliseconds(beside_p50[key]), milliseconds(beside_p99[key]),
      milliseconds(beside_max[key]), ratio(beside_p99[key], alone_p99[key])
  }
  print ""
}

function goals_table(    r, key) {
  print "| Goal | Measured | Verdict |"
  print "|---|---|---|"
  begin_goal()
  for (r = 1; r <= row_count; ++r) {
    key = rows[r]
    if (key in has) check("pieces of " piece[key], sprintf("%.2f", stored(key) / bytes[key]), stored(key) <= 4 * bytes[key])
  }
  end_goal("Stores at most 4 bytes per byte of the answer")
  begin_goal()
  for (r = 1; r <= row_count; ++r) {
    key = rows[r]
    if (key in has) check("pieces of " piece[key], sprintf("%.2f", sent[key] / bytes[key]), sent[key] <= 8 * bytes[key])
  }
  end_goal("Sends at most 8 bytes per byte of the answer to a watcher")
  begin_goal()
  for (r = 1; r <= row_count; ++r) {
    key = rows[r]
    if (key in has) check("p99, pieces of " piece[key], ratio(beside_p99[key], alone_p99[key]), beside_p99[key] <= 1.5 * alone_p99[key])
  }
  end_goal("Slows others by a factor of at most 1.5")
  begin_goal()
  for (r = 1; r <= row_count; ++r) if (rows[r] in has) check("pieces of " piece[rows[r]], faults[rows[r]], faults[rows[r]] == 0)
  end_goal("Nothing of the other sessions lost, duplicated or out of order")
  print ""
}

END {
  print "### Cost of the answer\n"
  cost_table()
  print "### Other sessions\n"
  latency_table()
  print "### Goals of long answers\n"
  goals_table()
}
