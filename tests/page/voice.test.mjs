import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countAlways, house } from './lib/house.mjs';

const home = house();

// Stands for the browser's own speech service, which Chromium has only with a screen and a network.
const withSpeech = () => {
  globalThis.SpeechRecognition = globalThis.webkitSpeechRecognition = class {
    start() { globalThis.__listener = this; }
    stop() { setTimeout(() => this.onend()); }
  };
};

// As the service tells it: all results so far, each with what may have been said, and which is the first that is new.
const hear = (page, resultIndex, ...results) => page.evaluate(([first, told]) => {
  globalThis.__listener.onresult({ resultIndex: first, results: told.map(({ isFinal, transcript }) => Object.assign([{ transcript, confidence: 0.9 }], { isFinal })) });
}, [resultIndex, results]);
const draft = (transcript) => ({ isFinal: false, transcript });
const final = (transcript) => ({ isFinal: true, transcript });

async function openSpoken() {
  const id = await home.server.session('list');
  await home.server.rested(id);
  const context = await home.browser.context();
  await context.addInitScript(withSpeech);
  const page = await home.open(`#/sessions/${id}`, { context });
  return { id, page, box: page.getByLabel('Message to the agent') };
}

test('R_PAGE_2 what is spoken is written into the box, sent as a spoken turn, and shown once with its source', async () => {
  const { id, page, box } = await openSpoken();
  await page.getByRole('button', { name: 'Speak' }).click();
  await page.getByRole('button', { name: 'Stop listening' }).waitFor();
  await hear(page, 0, draft('sea'));
  assert.equal(await box.inputValue(), '');
  await hear(page, 0, final('search'));
  await hear(page, 1, final('search'), draft(' nev'));
  assert.equal(await box.inputValue(), 'search');
  await hear(page, 1, final('search'), final(' never'));
  assert.equal(await box.inputValue(), 'search never');
  await page.getByRole('button', { name: 'Stop listening' }).click();
  await page.getByRole('button', { name: 'Speak' }).waitFor();
  const counts = await countAlways(page, 'search never');
  const [request] = await Promise.all([page.waitForRequest((one) => one.method() === 'POST'), page.getByRole('button', { name: 'Send' }).click()]);
  assert.equal(new URL(request.url()).pathname, '/api/turns');
  const { request_id: requestId, ...body } = request.postDataJSON();
  assert.deepEqual(body, { session_id: id, text: 'search never', source: 'voice' });
  assert.ok(requestId);
  await page.locator('.bubble[data-role="user"][data-turn-id]', { hasText: 'search never' }).locator('.bubble-foot', { hasText: 'voice' }).waitFor();
  await page.locator('.bubble[data-role="agent"]', { hasText: 'I found 1 line' }).waitFor();
  assert.deepEqual(await counts(), [0, 1]);
  assert.equal(await page.locator('[data-pending]').count(), 0);
  const told = (await home.server.get(`/api/sessions/${id}/turns`)).turns.filter((turn) => turn.actor === 'user').map(({ text, source }) => ({ text, source }));
  assert.deepEqual(told, [{ text: 'list', source: 'message' }, { text: 'search never', source: 'voice' }]);
});

test('R_PAGE_2 speech that is not allowed says so, and keeps what was typed, which is sent as typed', async () => {
  const { id, page, box } = await openSpoken();
  await box.fill('count all');
  await page.getByRole('button', { name: 'Speak' }).click();
  await page.evaluate(() => {
    globalThis.__listener.onerror({ error: 'not-allowed' });
    globalThis.__listener.onend();
  });
  assert.equal(await page.locator('.composer').getByRole('alert').textContent(), 'Speech: the browser does not let this page use the microphone');
  await page.getByRole('button', { name: 'Speak' }).waitFor();
  assert.equal(await box.inputValue(), 'count all');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('.bubble[data-role="user"][data-turn-id]', { hasText: 'count all' }).waitFor();
  const { turns } = await home.server.get(`/api/sessions/${id}/turns`);
  assert.equal(turns.find((turn) => turn.text === 'count all').source, 'message');
});

test('R_PAGE_2 where the browser cannot hear, nothing offers to listen', async () => {
  const id = await home.server.session('list');
  const context = await home.browser.context();
  await context.addInitScript(() => {
    delete globalThis.webkitSpeechRecognition;
    delete globalThis.SpeechRecognition;
  });
  const page = await home.open(`#/sessions/${id}`, { context });
  await page.getByRole('button', { name: 'Add files' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Speak' }).count(), 0);
});
