// An MCP client of an SDK that watches sessions. It knows one address only, as behind a load balancer, which sends it to one node
// after another; its SDK resumes its stream there by itself.

import { connect, SESSION_SDKS } from '../../mcp-clients/lib/clients.mjs';
import { CuttingProxy } from '../../support/cutting_proxy.mjs';

export class McpWatcher {
  moves = 0;
  name;
  watched = new Map(); // the last index before the watch, by session
  #sdk;
  #proxy;
  #client;

  constructor(number) {
    this.#sdk = SESSION_SDKS[number % SESSION_SDKS.length];
    this.name = `MCP watcher ${number} (${this.#sdk})`;
  }

  async start(node, sessions) {
    this.#proxy = await CuttingProxy.start(node.server.url);
    this.#client = await connect(this.#sdk, `${this.#proxy.url}/mcp`, { level: 'debug' });
    for (const session_id of sessions) {
      const { last_index } = await this.#client.call('session_watch', { session_id });
      this.watched.set(session_id, last_index);
    }
  }

  moveTo(node) {
    ++this.moves;
    this.#proxy.moveTo(node.server.url);
  }

  async close() {
    await this.#client?.vanish();
    this.#proxy?.stop();
  }

  // What was pushed of a session, in order of arrival.
  pushesOf(session) {
    return this.#client.messages.filter(({ data }) => data.session_id === session);
  }

  get gaps() {
    return this.#client.messages.filter(({ data }) => data.type === 'gap');
  }
}
