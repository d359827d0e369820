import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordCounts, pageFixture } from './lib/fixture.mjs';

const fixture = pageFixture();

// Replaces the browser's speech service, which headless Chromium lacks.
const fakeSpeech = () => {
  globalThis.SpeechRecognition = globalThis.webkitSpeechRecognition = class {
    start() { globalThis.__recognition = this; }
    stop() { setTimeout(() => this.onend()); }
  };
};

// Emits an event of the Web Speech API: all results so far, and the index of the first that changed.
const emitResults = (page, resultIndex, ...results) => page.evaluate(([index, all]) => {
  globalThis.__recognition.onresult({ resultIndex: index, results: all.map(({ isFinal, transcript }) => Object.assign([{ transcript, confidence: 0.9 }], { isFinal })) });
}, [resultIndex, results]);
const draft = (transcript) => ({ isFinal: false, transcript });
const final = (transcript) => ({ isFinal: true, transcript });

async function openWithSpeech() {
  const id = await fixture.server.startSession('list');
  await fixture.server.idle(id);
  const context = await fixture.browser.context();
  await context.addInitScript(fakeSpeech);
  const page = await fixture.open(`#/sessions/${id}`, { context });
  return { id, page, box: page.getByLabel('Message to the agent') };
}

test('R_PAGE_2 speech is written into the composer, sent as a voice turn, and shown once with its source', async () => {
  const { id, page, box } = await openWithSpeech();
  await page.getByRole('button', { name: 'Dictate' }).click();
  await page.getByRole('button', { name: 'Stop dictation' }).waitFor();
  await emitResults(page, 0, draft('sea'));
  assert.equal(await box.inputValue(), '');
  await emitResults(page, 0, final('search'));
  await emitResults(page, 1, final('search'), draft(' nev'));
  assert.equal(await box.inputValue(), 'search');
  await emitResults(page, 1, final('search'), final(' never'));
  assert.equal(await box.inputValue(), 'search never');
  await page.getByRole('button', { name: 'Stop dictation' }).click();
  await page.getByRole('button', { name: 'Dictate' }).waitFor();
  const counts = await recordCounts(page, 'search never');
  const [request] = await Promise.all([page.waitForRequest((candidate) => candidate.method() === 'POST'), page.getByRole('button', { name: 'Send' }).click()]);
  assert.equal(new URL(request.url()).pathname, '/api/turns');
  const { request_id: requestId, ...body } = request.postDataJSON();
  assert.deepEqual(body, { session_id: id, text: 'search never', source: 'voice' });
  assert.ok(requestId);
  await page.locator('.bubble[data-role="user"][data-turn-id]', { hasText: 'search never' }).locator('.bubble-foot', { hasText: 'voice' }).waitFor();
  await page.locator('.bubble[data-role="agent"]', { hasText: 'I found 1 line' }).waitFor();
  assert.deepEqual(await counts(), [0, 1]);
  assert.equal(await page.locator('[data-pending]').count(), 0);
  const { turns } = await fixture.server.get(`/api/sessions/${id}/turns`);
  const sent = turns.filter((turn) => turn.actor === 'user').map(({ text, source }) => ({ text, source }));
  assert.deepEqual(sent, [{ text: 'list', source: 'message' }, { text: 'search never', source: 'voice' }]);
});

test('R_PAGE_2 denied speech reports the reason and keeps the typed text, which is sent as a message', async () => {
  const { id, page, box } = await openWithSpeech();
  await box.fill('count all');
  await page.getByRole('button', { name: 'Dictate' }).click();
  await page.evaluate(() => {
    globalThis.__recognition.onerror({ error: 'not-allowed' });
    globalThis.__recognition.onend();
  });
  assert.equal(await page.locator('.composer').getByRole('alert').textContent(), 'Dictation: microphone access denied');
  await page.getByRole('button', { name: 'Dictate' }).waitFor();
  assert.equal(await box.inputValue(), 'count all');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('.bubble[data-role="user"][data-turn-id]', { hasText: 'count all' }).waitFor();
  const { turns } = await fixture.server.get(`/api/sessions/${id}/turns`);
  assert.equal(turns.find((turn) => turn.text === 'count all').source, 'message');
});

test('R_PAGE_2 without speech recognition in the browser there is no dictation button', async () => {
  const id = await fixture.server.startSession('list');
  const context = await fixture.browser.context();
  await context.addInitScript(() => {
    delete globalThis.webkitSpeechRecognition;
    delete globalThis.SpeechRecognition;
  });
  const page = await fixture.open(`#/sessions/${id}`, { context });
  await page.getByRole('button', { name: 'Attach files' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Dictate' }).count(), 0);
});
