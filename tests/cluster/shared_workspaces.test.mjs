// Nodes whose workspaces are on a file system that all of them see.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, it } from 'node:test';
import { until } from '../support/until.mjs';
import { Cluster, eventsOf, reaches } from './cluster.mjs';

const shared = fs.mkdtempSync(path.join(os.tmpdir(), 'oriel-shared-'));
let cluster;
let a;
let b;
before(async () => {
  cluster = await Cluster.start(['a', 'b'], ['--shared-workspaces', shared]);
  [a, b] = cluster.nodes;
});
after(async () => {
  await cluster?.remove();
  fs.rmSync(shared, { recursive: true });
});

it('R-CLUSTER-4: the session of a lost node goes on in its workspace on another one', async () => {
  const { session } = await a.api.start({ agent: 'demo', permissions: 'allow', message: 'write notes.txt: of a' });
  const id = session.session_id;
  await reaches(a, id, 'complete');
  const { workspace } = await a.api.session(id);
  assert.equal(path.dirname(workspace), shared);
  await a.api.message(id, 'wait 600');
  await reaches(b, id, 'processing');
  await a.server.kill();
  await until(async () => (await b.api.session(id)).node === 'b', 'node b has taken the session over');
  await b.api.message(id, 'write more.txt: of b');
  await reaches(b, id, 'complete');
  assert.equal(fs.readFileSync(path.join(workspace, 'notes.txt'), 'utf8'), 'of a\n');
  assert.equal(fs.readFileSync(path.join(workspace, 'more.txt'), 'utf8'), 'of b\n');
  await cluster.start(a);
  assert.equal((await a.api.session(id)).node, 'b');
  await a.api.message(id, 'help');
  await reaches(a, id, 'complete');
  assert.deepEqual(await eventsOf(a, id), await eventsOf(b, id));
});
