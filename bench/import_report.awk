# Formats the lines of import_bench as Markdown. Columns as in import_bench.cpp; POSIX awk, after format.awk.

BEGIN {
  FS = "\t"
  row_count = split("plain oriel oriel-cores", rows, " ")
  name["plain"] = "plain"
  name["oriel"] = "**Oriel**"
  name["oriel-cores"] = "Oriel, all cores"
}

$1 == "import" { bytes[$2] = $3; seconds[$2] = $4; cpu[$2] = $5; memory[$2] = $6; sessions[$2] = $7; turns[$2] = $8 }

function speed(key) { return seconds[key] > 0 ? bytes[key] / seconds[key] / 1000000 : 0 }

function cost(key) { return bytes[key] > 0 ? cpu[key] * 1000000000 / bytes[key] : 0 }

END {
  printf "%s MB: %s sessions, %s turns.\n\n", thousands(bytes["oriel"] / 1000000), thousands(sessions["oriel"]), thousands(turns["oriel"])
  print "| Reader | MB/s | CPU ns per byte | Maximum memory | Second import |"
  print "|---|--:|--:|--:|--:|"
  for (i = 1; i <= row_count; ++i) {
    key = rows[i]
    printf "| %s | %.0f | %.2f | %s | %s |\n", name[key], speed(key), cost(key), mebibytes(memory[key]),
      key == "plain" ? "-" : sprintf("%.2f s", seconds[key "-again"])
  }
  print "\n| Ratio to plain | MB/s | CPU per byte |"
  print "|---|--:|--:|"
  for (i = 2; i <= row_count; ++i)
    printf "| %s | %s | %s |\n", name[rows[i]], ratio(speed(rows[i]), speed("plain")), ratio(cost(rows[i]), cost("plain"))
  printf "| Noise: plain's second measurement | %s | %s |\n", ratio(speed("plain-again"), speed("plain")), ratio(cost("plain-again"), cost("plain"))
  print "\n### Goals of imports\n"
  print "| Goal | Measured | Verdict |"
  print "|---|---|---|"
  begin_goal()
  check(name["oriel-cores"], sprintf("%.0f MB/s", speed("oriel-cores")), speed("oriel-cores") >= 100)
  end_goal("At least 100 MB/s on all cores")
  begin_goal()
  for (i = 2; i <= row_count; ++i) check(name[rows[i]], mebibytes(memory[rows[i]]), memory[rows[i]] <= 256 * 1048576)
  end_goal("In at most 256 MiB")
  begin_goal()
  for (i = 2; i <= row_count; ++i) check(name[rows[i]], sprintf("%.2f s", seconds[rows[i] "-again"]), seconds[rows[i] "-again"] <= 2)
  end_goal("A second import without changes in at most 2 s")
  print ""
}
