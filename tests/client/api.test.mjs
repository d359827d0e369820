// OrielApi against the real server with the demo agent.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { openStream, OrielApi, OrielError } from '../../build/web/oriel.js';
import { until } from '../support/until.mjs';
import { Server } from '../support/server.mjs';

let server;
let api;
before(async () => {
  server = await Server.start();
  api = new OrielApi({ baseUrl: server.url });
});
after(() => server.remove());

const reaches = (id, state) => until(async () => (await api.session(id)).state === state, `the session is ${state}`);

it('starts a session, sends it a message, answers its permission request and ends it', async () => {
  const { agents } = await api.agents();
  assert.ok(agents.some((agent) => agent.name === 'demo' && agent.available));
  const { session, last_index } = await api.start({ agent: 'demo', workspace: server.workspace, message: 'help', permissions: 'ask', request_id: 'r1' });
  assert.equal((await api.start({ request_id: 'r1' })).session.session_id, session.session_id);
  const id = session.session_id;
  await reaches(id, 'complete');
  assert.ok((await api.session(id)).last_index >= last_index);

  const sent = await api.message(id, 'write notes.txt: hello', 'm1');
  assert.equal((await api.message(id, 'write notes.txt: hello', 'm1')).task_id, sent.task_id);
  await reaches(id, 'awaiting_input');
  const [permission] = (await api.session(id)).permissions;
  await api.answer(id, permission.permission_id, { decision: 'allow' });
  await reaches(id, 'complete');
  await assert.rejects(api.answer(id, permission.permission_id, { decision: 'deny' }), { status: 409, code: 'already_resolved' });
  await assert.rejects(api.cancel(id), { status: 409 });

  const { events } = await api.events(id, { types: ['permission', 'completion'], limit: 100 });
  assert.deepEqual([...new Set(events.map((event) => event.type))].sort(), ['completion', 'permission']);
  assert.equal((await api.sessions({ agent: 'demo', limit: 1 })).sessions[0].session_id, id);
  assert.equal((await api.end(id)).status, 'completed');
});

it('lists turns, tasks and projects', async () => {
  const { session } = await api.start({ agent: 'demo', workspace: server.workspace, project_id: 'shop', message: 'help' });
  const id = session.session_id;
  await reaches(id, 'complete');
  const { turns, has_earlier } = await api.turns(id, { after: '0-0', limit: 1 });
  assert.deepEqual(turns.map(({ actor, text }) => [actor, text]), [['user', 'help']]);
  assert.equal(has_earlier, false);
  assert.equal((await api.turns(id, { after: turns[0].cursor })).turns.at(-1).intent, 'completion');
  assert.equal((await api.tasks(id, { limit: 5 })).tasks[0].title.length > 0, true);
  assert.ok((await api.projects()).projects.some((project) => project.project_id === 'shop'));
});

it('sends a turn with a file, and reads the file', async () => {
  const { session } = await api.start({ agent: 'demo', workspace: server.workspace, message: 'help' });
  const id = session.session_id;
  await reaches(id, 'complete');
  const form = new FormData();
  form.append('session_id', id);
  form.append('text', 'what is wrong here?');
  form.append('file', new Blob(['kept'], { type: 'text/plain' }), 'note.txt');
  const { files: [file] } = await api.addTurn(form);
  assert.equal(file.name, 'note.txt');
  assert.equal(await (await api.file(id, file.file_id)).text(), 'kept');
  assert.equal(await (await fetch(api.fileUrl(id, file.file_id))).text(), 'kept');
  await reaches(id, 'complete');
});

it('previews and starts an import', async () => {
  assert.equal((await api.previewImport()).files_total, 0);
  await api.startImport();
  await until(async () => (await api.importProgress()).state === 'done', 'the import is done');
  assert.equal((await api.cancelImport()).state, 'done');
});

it('publishes events, and reads clients, health and metrics', async (test) => {
  const stream = openStream({ baseUrl: server.url, projectIds: ['shop'] });
  test.after(() => stream.close());
  await until(() => stream.state.phase === 'live', 'live');
  const seen = [];
  stream.onEvents((events) => seen.push(...events));
  const { id, sequence } = await api.publish({ type: 'deploy', project_id: 'shop', data: { build: 117 } });
  await until(() => seen.length > 0, 'the event');
  assert.equal(seen[0].id, id);
  assert.equal(seen[0].sequence, sequence);
  assert.equal(seen[0].event, 'deploy');
  assert.deepEqual(seen[0].data, { build: 117 });
  const { clients } = await api.clients();
  assert.deepEqual(clients.map((client) => client.filters.project_id), [['shop']]);
  assert.equal((await api.health()).journal.head, sequence);
  assert.match(await api.metrics(), /^oriel_sse_clients/m);
});

it('an error has the status, code, message and hint of the server', async () => {
  const error = await api.session('ses_unknown').catch((thrown) => thrown);
  assert.ok(error instanceof OrielError && error instanceof Error);
  assert.equal(error.status, 404);
  assert.match(error.code, /unknown/);
  assert.ok(error.message.length > 0 && error.hint.length > 0);
  await assert.rejects(api.publish({ type: 'two words' }), { status: 400 });
  await assert.rejects(api.session('../clients'), { status: 400 }, 'an id cannot change the path');
});

it('an unreachable server is an error too', async () => {
  await assert.rejects(new OrielApi({ baseUrl: 'http://127.0.0.1:1' }).health(), { name: 'OrielError', status: 0, code: 'network' });
});
