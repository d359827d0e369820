// The nodes of the cluster that the server belongs to.
import type { Cluster, ClusterNode } from "@oriel/client";
import { count } from "../text/format";
import { visibleLine } from "../text/visible";

export function Nodes({ cluster }: { cluster: Cluster }) {
  const { nodes, nats, warnings } = cluster;
  return (
    <section aria-label="Nodes">
      <h2>Nodes <span class="group-count">{nodes.length}</span></h2>
      {!nats.connected && <p class="banner banner-bad" role="alert">NATS is not connected. This node is read-only.</p>}
      {warnings.map((warning) => <p key={warning} class="banner banner-warn">{visibleLine(warning, 300)}</p>)}
      <div class="table-frame" role="region" aria-label="Nodes of the cluster" tabIndex={0}>
        <table>
          <thead><tr><th>Node</th><th>State</th><th>Sessions</th><th>Lag</th><th>Event log</th><th>Version</th></tr></thead>
          <tbody>{nodes.map((node) => <NodeRow key={node.name} node={node} />)}</tbody>
        </table>
      </div>
    </section>
  );
}

function NodeRow({ node }: { node: ClusterNode }) {
  const name = visibleLine(node.name, 64);
  return (
    <tr data-node={node.name}>
      <td>{isWebAddress(node.url) && !node.self ? <a href={node.url}>{name}</a> : name}{node.self && <span class="dim"> (this node)</span>}
        {node.labels.length > 0 && <div class="dim">{visibleLine(node.labels.join(", "), 100)}</div>}
      </td>
      <td>{stateOf(node)}</td>
      <td>{node.sessions} of {node.max_sessions}</td>
      <td>{node.lag === 0 ? "none" : `${count(node.lag)} entries`}</td>
      <td class={node.chain_agreed === false ? "bad" : undefined}>{agreementOf(node)}</td>
      <td>{visibleLine(node.version, 30)}</td>
    </tr>
  );
}

// Another node says its own address.
const isWebAddress = (url: string): boolean => /^https?:\/\//.test(url);

function stateOf(node: ClusterNode): string {
  if (!node.serving) return "starting";
  return node.draining ? "stopping" : "serving";
}

function agreementOf(node: ClusterNode): string {
  if (node.chain_agreed === null) return "not compared";
  return node.chain_agreed ? "in sync" : "differs";
}
