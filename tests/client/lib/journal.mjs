// Fills the journal of a server, and reads it without the module under test.

import assert from 'node:assert/strict';

// Every stored event as [id, name, data], read from the beginning.
export async function readJournal(url) {
  const { journal } = await (await fetch(`${url}/health`)).json();
  const abort = new AbortController();
  const response = await fetch(`${url}/api/events?last_event_id=0`, { signal: abort.signal });
  assert.equal(response.status, 200);
  const events = [];
  let text = '';
  const isComplete = () => events.length > 0 && Number.parseInt(events.at(-1)[0]) >= journal.head;
  for await (const bytes of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + bytes).split('\n\n');
    text = blocks.pop();
    for (const block of blocks) {
      const found = /^id: (\S+)\nevent: (\S+)\ndata: (.*)$/.exec(block);
      if (found && found[2] !== 'hello') events.push(found.slice(1));
    }
    if (isComplete()) break;
  }
  abort.abort();
  return events;
}

// Publishes until stopped, also while the server restarts. `ids` has the events that the server confirmed.
export function startPublishing(url, random, types = ['note', 'deploy', 'build']) {
  const ids = [];
  let isStopped = false;
  async function publish() {
    for (let number = 0; !isStopped; ++number) {
      const text = 'ä"\n🙂'.repeat(Math.floor(random() * (random() < 0.05 ? 3000 : 30)));
      const type = types[Math.floor(random() * types.length)];
      const body = JSON.stringify({ type, project_id: number % 2 ? 'shop' : 'site', text, data: { number } });
      const headers = { 'Content-Type': 'application/json' };
      try {
        const response = await fetch(`${url}/api/events`, { method: 'POST', headers, body });
        if (response.status === 201) ids.push((await response.json()).id);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20)); // the server is down
      }
    }
  }
  const done = Promise.all([publish(), publish()]);
  return {
    ids,
    async stop() {
      isStopped = true;
      await done;
    },
  };
}
