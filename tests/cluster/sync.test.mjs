// Workspaces that are pushed to a git remote, so that another node can go on with them.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, it } from 'node:test';
import { until } from '../support/until.mjs';
import { Cluster, eventsOf, reaches } from './cluster.mjs';

let directory;
let remote;
let cluster;
let a;
let b;
before(async () => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'oriel-sync-'));
  remote = path.join(directory, 'remote.git');
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  const config = path.join(directory, 'oriel.toml');
  fs.writeFileSync(config, `[projects.web]\nagent = "demo"\nsync = "git"\nremote = "${remote}"\n`);
  cluster = await Cluster.start(['a', 'b'], ['--config', config]);
  [a, b] = cluster.nodes;
});
after(async () => {
  await cluster?.remove();
  fs.rmSync(directory, { recursive: true });
});

const commitsOf = (id) => {
  const branch = `refs/heads/oriel/${id}`;
  const known = execFileSync('git', ['--git-dir', remote, 'for-each-ref', branch], { encoding: 'utf8' });
  return known === '' ? 0 : Number(execFileSync('git', ['--git-dir', remote, 'rev-list', '--count', branch], { encoding: 'utf8' }));
};

const pushedFiles = (id) => execFileSync('git', ['--git-dir', remote, 'ls-tree', '-r', '--name-only', `oriel/${id}`], { encoding: 'utf8' }).split('\n');

const fileOf = (node, id, name) => path.join(node.server.dataDir, 'workspaces', id, name);

it('R-CLUSTER-2: another node goes on with the session of a killed one in the workspace that was pushed', async () => {
  const { session } = await a.api.start({ project_id: 'web', permissions: 'allow', message: 'write notes.txt: hello' });
  const id = session.session_id;
  await reaches(b, id, 'complete');
  await until(() => commitsOf(id) === 1, 'the workspace is pushed');
  await a.api.message(id, 'write more.txt: world');
  await until(() => commitsOf(id) === 2, 'it is pushed again, so the first push is recorded');
  await a.server.kill();
  const again = () => b.api.message(id, 'write last.txt: done', 'once').catch((failure) => {
    if (failure.code !== 'node_unreachable') throw failure;
  });
  await until(again, 'node b has taken the session over', 60_000);
  await until(async () => (await b.api.session(id)).node === 'b', 'the session belongs to node b');
  await reaches(b, id, 'complete');
  assert.equal(fs.readFileSync(fileOf(b, id, 'notes.txt'), 'utf8').trim(), 'hello');
  assert.equal(fs.readFileSync(fileOf(b, id, 'last.txt'), 'utf8').trim(), 'done');
  const notices = (await eventsOf(b, id)).filter(({ text }) => /the node a was lost; the workspace is that of/.test(text));
  assert.equal(notices.length, 1);
  await until(() => pushedFiles(id).includes('last.txt'), 'node b pushes it from now on');
  await cluster.start(a);
  assert.equal((await a.api.session(id)).node, 'b');
  assert.deepEqual(await eventsOf(a, id), await eventsOf(b, id));
});
