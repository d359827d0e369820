// A permission request of an agent reaches the client as a form, in every protocol era. A call whose client leaves it unanswered
// returns it.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from './lib/clients.mjs';
import { Server } from '../support/server.mjs';

const ERAS = [
  { name: 'sdk 1.x, elicitation/create', sdk: 'sdk 1.x', mode: 'legacy' },
  { name: 'client 2.x, elicitation/create', sdk: 'client 2.x', mode: 'legacy' },
  { name: 'client 2.x of 2026-07-28, input_required', sdk: 'client 2.x', mode: 'auto' },
];

const READING_TIME = 1200; // ms; a program declines sooner

let server;
before(async () => { server = await Server.start(); });
after(() => server.remove());

// The first choice whose title or value matches.
function choose(schema, pattern) {
  const { oneOf } = schema.properties.decision;
  return oneOf.find((choice) => pattern.test(choice.title) || pattern.test(choice.const)).const;
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
      client = await connect(sdk, server.mcpUrl, { elicit, mode });
    });
    after(() => client.end());
    const write = (file) => client.call('session_message',
      { message: `write ${file}: hello`, wait: true, workspace: server.workspace, permissions: 'ask' });
    const written = (file) => fs.existsSync(path.join(server.workspace, file));

    it('accepting the form lets the agent write its file', async () => {
      answer = ({ requestedSchema }) => ({ action: 'accept', content: { decision: choose(requestedSchema, /allow|yes/i) } });
      const file = `${sdk}-${mode}-accepted.txt`.replaceAll(' ', '-');
      const { status } = await write(file);
      assert.equal(status, 'completed');
      assert.match(forms.at(-1).message, new RegExp(file));
      assert.ok(written(file));
    });

    it('declining the form does not', async () => {
      answer = async () => {
        await sleep(READING_TIME);
        return { action: 'decline' };
      };
      const file = `${sdk}-${mode}-declined.txt`.replaceAll(' ', '-');
      const asked = forms.length;
      const { status } = await write(file);
      assert.equal(status, 'completed');
      assert.equal(forms.length, asked + 1);
      assert.ok(!written(file));
    });

    for (const action of ['cancel', 'decline']) {
      it(`a ${action} without a person returns the request, and the next step`, async () => {
        answer = () => ({ action });
        const file = `${sdk}-${mode}-${action}.txt`.replaceAll(' ', '-');
        const { session_id, status, permission, next, last_index } = await write(file);
        assert.equal(status, 'awaiting_input');
        assert.match(permission.title, new RegExp(file));
        assert.match(next, /^permission_answer .*, then session_events /);
        const { permission_id } = permission;
        await client.call('permission_answer', { session_id, permission_id, decision: 'allow' });
        const { events } = await client.call('session_events',
          { session_id, since_index: last_index, types: ['completion'], wait_ms: 10_000 });
        assert.equal(events[0].status, 'completed');
        assert.ok(written(file));
      });
    }
  });
}
