// The page of one node shows the whole cluster.

import assert from 'node:assert/strict';
import { after, afterEach, before, it } from 'node:test';
import { Browser, seriousFindings } from '../page/lib/browser.mjs';
import { Cluster } from './cluster.mjs';

let cluster;
let a;
let browser;
before(async () => {
  cluster = await Cluster.start(['a', 'b']);
  [a] = cluster.nodes;
  browser = await new Browser().start();
});
afterEach(() => browser.assertNoProblems());
after(async () => {
  await browser?.stop();
  await cluster?.remove();
});

it('R-CLUSTER-1: the System view shows the nodes, where they are, and the lost NATS server', async () => {
  const page = await browser.page(`${a.server.url}/#/system`);
  const row = (name) => page.locator(`tr[data-node="${name}"]`);
  await row('a').getByText('(this node)').waitFor();
  await row('b').getByText('serving').waitFor();
  await row('b').getByText('in sync').waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  await browser.screenshot(page, 'system-nodes');
  await cluster.nats.kill();
  browser.expected = [/503/];
  await page.getByRole('alert').getByText('NATS is not connected').waitFor();
  await cluster.nats.restart();
  await page.getByRole('alert').waitFor({ state: 'detached', timeout: 60_000 });
});

it('R-CLUSTER-5: a session is started from the page on another node, and its page names the node', async () => {
  const page = await browser.page(`${a.server.url}/#/start`);
  await page.getByLabel('Prompt').fill('list');
  await page.getByLabel('Directory').fill(a.server.workspace);
  await page.getByLabel('Node').selectOption('b');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.locator('.completion[data-status="completed"]').waitFor();
  await page.locator('.facts').getByText('b', { exact: true }).waitFor();
});
