# shellcheck shell=bash
# Sourced by script/bench: measures two nodes that share a log.

readonly cluster_results=$work/cluster.tsv

measure_cluster() {
  say "$(printf '%4d s  cluster: two nodes, one nats-server' "$SECONDS")"
  "$build/bench/cluster_bench" >>"$cluster_results"
}

report_cluster() {
  cat <<END
$(section_begin cluster)
## Cluster

Written by \`script/bench cluster\` on $(date -u +%Y-%m-%d), load average before the run: $load_before.

**Method.** \`bench/cluster_bench.cpp\` runs two nodes, without their HTTP servers, and \`nats-server\` on this machine. Each node stores
in SQLite. 64 sessions, half of them on each node, have one append under way each, of events of 300 bytes. *Bare* is what two
JetStream publishers reach with messages of the same size in the same run: 8 messages of each are under way, and each hears all
messages, but nothing is stored in a journal. *Announced* is the time from an append on one node to its announcement to the
watchers of the other one, at 1 000 events/s. A node *joins* with an empty journal: it reads 100 000 entries of one event each from
the log, or takes a snapshot from the node that announces events to watchers meanwhile. The slowest of three snapshots counts; the
thread that takes them gives way to the nodes, because a node that joins has a machine of its own.

END
  awk -f bench/format.awk -f bench/cluster_report.awk "$cluster_results"
  section_end cluster
}
