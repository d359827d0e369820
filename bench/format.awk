# Shared by the reports: formatting of numbers, and goals.

function milliseconds(us) { return sprintf(us < 10000 ? "%.2f" : "%.0f", us / 1000) }

function thousands(number,    text, out) {
  text = sprintf("%.0f", number)
  while (length(text) > 3) { out = " " substr(text, length(text) - 2) out; text = substr(text, 1, length(text) - 3) }
  return text out
}

function mebibytes(size) { return sprintf("%.1f MiB", size / 1048576) }

function ratio(part, whole) { return whole > 0 ? sprintf("%.2f", part / whole) : "-" }

# A goal is checked at any number of points; begin_goal, check for each point, end_goal.
function begin_goal() { measured = ""; missed = ""; checked = 0 }

function check(what, value, is_met) {
  ++checked
  measured = measured (measured == "" ? "" : ", ") what ": " value
  if (!is_met) missed = missed (missed == "" ? "" : ", ") what
}

function end_goal(goal) {
  printf "| %s | %s | %s |\n", goal, checked ? measured : "-",
    !checked ? "not measured" : missed == "" ? "**met**" : "**missed** (" missed ")"
}
