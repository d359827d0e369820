// The health, throughput, nodes and connections of the server.
import type { Client, Cluster, Health } from "@oriel/client";
import { useEffect, useState } from "preact/hooks";
import { logOut } from "../app/access";
import { may, me } from "../app/rights";
import { api, received, errorText } from "../app/store";
import { deliveryQuantile, parseMetrics, rate, type Reading } from "../model/metrics";
import { timeOf } from "../model/position";
import { ago, bytes, count, duration, elapsed } from "../text/format";
import { visibleLine } from "../text/visible";
import { Spark } from "../ui/spark";
import { Nodes } from "./nodes";

const kInterval = 2000; // ms
const kMaxReadings = 150; // five minutes

// Survives navigation, so that the charts show the last minutes at once.
const readings: Reading[] = [];

export function System() {
  const [health, setHealth] = useState<Health | undefined>();
  const [clients, setClients] = useState<Client[]>([]);
  const [cluster, setCluster] = useState<Cluster | undefined>();
  const [problem, setProblem] = useState("");
  const [, redraw] = useState(0);
  useEffect(() => {
    let isClosed = false;
    const poll = async (): Promise<void> => {
      if (document.hidden) return;
      try {
        const [nextHealth, metrics, nextCluster, connected] =
          await Promise.all([api.health(), api.metrics(), api.cluster(), may("admin") ? api.clients() : { clients: [] }]);
        if (isClosed) return;
        readings.push(parseMetrics(metrics, Date.now()));
        if (readings.length > kMaxReadings) readings.shift();
        setHealth(nextHealth);
        setClients(connected.clients);
        setCluster(nextCluster.enabled ? nextCluster : undefined);
        setProblem("");
      } catch (error) {
        if (!isClosed) setProblem(errorText(error));
      }
      redraw((n) => n + 1);
    };
    void poll();
    const timer = setInterval(() => void poll(), kInterval);
    return () => { isClosed = true; clearInterval(timer); };
  }, []);
  return (
    <div class="page system">
      <header class="page-head"><h1>System</h1>{health && <span class="pill" data-activity={health.status === "ok" ? "idle" : "failed"}><span class="pill-dot" aria-hidden="true" />{health.status}</span>}</header>
      {problem && <p class="banner banner-bad" role="alert">Server unreachable: {problem}</p>}
      {health && (
        <dl class="facts facts-big">
          <div><dt>Version</dt><dd>{health.version}</dd></div>
          <div><dt>Uptime</dt><dd>{duration(health.uptime_s * 1000)}</dd></div>
          <div><dt>Events stored</dt><dd>{count(health.journal.head - health.journal.oldest + 1)}</dd></div>
          <div><dt>Latest event</dt><dd class="mono">{health.journal.head}</dd></div>
          <div><dt>Watchers</dt><dd>{health.sse.active_connections} of {health.sse.max_connections}</dd></div>
          <div><dt>Received here</dt><dd>{count(received.value)}</dd></div>
        </dl>
      )}
      {cluster && <Nodes cluster={cluster} />}
      <Charts />
      {may("admin") && <Connections clients={clients} />}
      {me.value && me.value.name !== "local" && <p>{visibleLine(me.value.name, 60)} <button type="button" class="button" onClick={() => void logOut()}>Log out</button></p>}
    </div>
  );
}

const series = (name: string): number[] => readings.map((reading, i) => rate(readings[i - 1], reading, name));
const gauge = (name: string): number[] => readings.map((reading) => reading.values.get(name) ?? NaN);
const last = (points: readonly number[]): number => points[points.length - 1] ?? NaN;
const perSecond = (value: number): string => (Number.isFinite(value) ? `${value < 10 ? value.toFixed(1) : count(value)}/s` : "\u2013");

function Charts() {
  const events = series("oriel_journal_events_total");
  const deliveries = series("oriel_sse_deliveries_total");
  const sent = series("oriel_sse_bytes_total");
  const requests = series("oriel_http_requests_total");
  const watchers = gauge("oriel_sse_clients");
  const connections = gauge("oriel_http_connections");
  const slow = readings.map((reading, i) => deliveryQuantile(readings[i - 1], reading, 0.99) * 1000);
  const newest = readings[readings.length - 1];
  const total = (name: string): string => count(newest?.values.get(name) ?? 0);
  const known = slow.filter(Number.isFinite);
  const span = elapsed(Math.max(kInterval, (newest?.at ?? 0) - (readings[0]?.at ?? 0)));
  const perSecondAt = (value: number): string => `${axisNumber(value)}/s`;
  return (
    <div class="sparks">
      <Spark title="Events stored" value={perSecond(last(events))} detail={`${total("oriel_journal_commits_total")} commits, ${total("oriel_journal_failures_total")} failures`} points={events} label={perSecondAt} span={span} />
      <Spark title="Deliveries" value={perSecond(last(deliveries))} detail={`${total("oriel_demotions_total")} fell behind, ${total("oriel_sse_stalled_total")} stalled`} points={deliveries} label={perSecondAt} span={span} />
      <Spark title="Commit to socket, p99" value={known.length > 0 ? atMost(known[known.length - 1]!) : "\u2013"} detail="per 2 s" points={slow} label={(value) => `${axisNumber(value)} ms`} span={span} />
      <Spark title="Sent" value={Number.isFinite(last(sent)) ? `${bytes(last(sent))}/s` : "\u2013"} detail={`${bytes(newest?.values.get("oriel_sse_bytes_total") ?? 0)} total`} points={sent} label={(value) => (value < 10 ? `${axisNumber(value)} B/s` : `${bytes(value)}/s`)} span={span} />
      <Spark title="Watchers" value={String(last(watchers) || 0)} detail={`${total("oriel_sse_clients_total")} total`} points={watchers} label={axisNumber} span={span} />
      <Spark title="Requests" value={perSecond(last(requests))} detail={`${last(connections) || 0} connections, ${total("oriel_http_refused_total")} rejected`} points={requests} label={perSecondAt} span={span} />
    </div>
  );
}

const atMost = (ms: number): string => (ms < 1 ? "< 1 ms" : `\u2264 ${duration(ms)}`);
const axisNumber = (value: number): string => (value < 10 ? String(Number(value.toPrecision(2))) : count(value));

function Connections({ clients }: { clients: Client[] }) {
  return (
    <section aria-label="Connections">
      <h2>Connections <span class="group-count">{clients.length}</span></h2>
      <div class="table-frame" role="region" aria-label="Watchers" tabIndex={0}>
        <table>
          <thead><tr><th>Watcher</th><th>Principal</th><th>Address</th><th>Connected</th><th>Filter</th><th>Sent</th><th>Queued</th></tr></thead>
          <tbody>
            {clients.slice(0, 200).map((client) => (
              <tr key={client.client_id}>
                <td class="mono">{client.client_id.slice(0, 8)}</td><td>{visibleLine(client.principal, 30)}</td><td class="mono">{client.address}</td>
                <td>{ago(Math.max(0, Date.now() - timeOf(client.connected_at)))}</td>
                <td>{visibleLine([...client.filters.types, ...client.filters.project_id, ...client.filters.session_id].join(", "), 60) || "all"}</td>
                <td>{bytes(client.sent_bytes)}</td><td>{bytes(client.queued_bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
