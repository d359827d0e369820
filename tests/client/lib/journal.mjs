// What the server holds, read without the module under test; and many events for it to hold.

import assert from 'node:assert/strict';

// Every event that is held, as [id, name, text of the data], by a fresh full read.
export async function readJournal(url) {
  const { journal } = await (await fetch(`${url}/health`)).json();
  const abort = new AbortController();
  const answer = await fetch(`${url}/api/events?last_event_id=0`, { signal: abort.signal });
  assert.equal(answer.status, 200);
  const events = [];
  let text = '';
  const isWhole = () => events.length > 0 && Number.parseInt(events.at(-1)[0]) >= journal.head;
  for await (const bytes of answer.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + bytes).split('\n\n');
    text = blocks.pop();
    for (const block of blocks) {
      const found = /^id: (\S+)\nevent: (\S+)\ndata: (.*)$/.exec(block);
      if (found && found[2] !== 'hello') events.push(found.slice(1));
    }
    if (isWhole()) break;
  }
  abort.abort();
  return events;
}

// Publishes until told to stop, whatever becomes of the server. Knows the ids of what was stored for sure.
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
        const answer = await fetch(`${url}/api/events`, { method: 'POST', headers, body });
        if (answer.status === 201) ids.push((await answer.json()).id);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20)); // the server is away
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
