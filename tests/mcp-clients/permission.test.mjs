// An agent's question reaches the person behind the client as a form, in every era.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { connect } from './lib/clients.mjs';
import { startOriel } from './lib/oriel.mjs';
import { until } from './lib/until.mjs';

const ERAS = [
  { name: 'sdk 1.x, elicitation/create', sdk: 'sdk 1.x', mode: 'legacy' },
  { name: 'client 2.x, elicitation/create', sdk: 'client 2.x', mode: 'legacy' },
  { name: 'client 2.x of 2026-07-28, input_required', sdk: 'client 2.x', mode: 'auto' },
];

let oriel;
before(async () => { oriel = await startOriel(); });
after(() => oriel.stop());

// The first choice whose title or value says so.
function choose(schema, words) {
  const { oneOf } = schema.properties.decision;
  return oneOf.find((choice) => words.test(choice.title) || words.test(choice.const)).const;
}

for (const { name, sdk, mode } of ERAS) {
  describe(name, () => {
    const forms = [];
    let answer;
    let client;
    before(async () => {
      const elicit = ({ params }) => {
        forms.push(params);
        return answer(params);
      };
      client = await connect(sdk, oriel.url, { elicit, mode });
    });
    after(() => client.end());
    const write = (file) => client.call('session_message',
      { message: `write ${file}: hello`, wait: true, workspace: oriel.workspace, permissions: 'ask' });
    const written = (file) => fs.existsSync(path.join(oriel.workspace, file));

    it('an accepted form lets the agent write its file', async () => {
      answer = ({ requestedSchema }) => ({ action: 'accept', content: { decision: choose(requestedSchema, /allow|yes/i) } });
      const file = `${sdk}-${mode}-accepted.txt`.replaceAll(' ', '-');
      const { status } = await write(file);
      assert.equal(status, 'completed');
      assert.match(forms.at(-1).message, new RegExp(file));
      assert.ok(written(file));
    });

    it('a declined form does not', async () => {
      answer = () => ({ action: 'decline' });
      const file = `${sdk}-${mode}-declined.txt`.replaceAll(' ', '-');
      const asked = forms.length;
      const { status } = await write(file);
      assert.equal(status, 'completed');
      assert.equal(forms.length, asked + 1);
      assert.ok(!written(file));
    });

    it('a form that is put aside leaves the question to others', async () => {
      answer = () => ({ action: 'cancel' });
      const file = `${sdk}-${mode}-aside.txt`.replaceAll(' ', '-');
      const waiting = write(file);
      const pending = async () => {
        const { sessions } = await client.call('session_list', { workspace: oriel.workspace });
        return sessions.find((session) => session.state === 'awaiting_input');
      };
      const { session_id } = await until(pending, 'the agent waits');
      const { permissions } = await client.call('session_get', { session_id });
      await client.call('permission_answer', { session_id, permission_id: permissions[0].permission_id, decision: 'allow' });
      const { status } = await waiting;
      assert.equal(status, 'completed');
      assert.ok(written(file));
    });
  });
}
