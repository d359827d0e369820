// What a client without a credential says: the official SDKs try OAuth after a 401.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { v1, v2 } from './lib/packages.mjs';
import { Server } from '../support/server.mjs';

let server;
before(async () => { server = await Server.start(['--local-trust', 'none']); });
after(() => server.remove());

const provider = {
  redirectUrl: 'http://127.0.0.1:1/callback',
  clientMetadata: { client_name: 'test', redirect_uris: ['http://127.0.0.1:1/callback'] },
  clientInformation: () => undefined,
  saveClientInformation: () => {},
  tokens: () => undefined,
  saveTokens: () => {},
  redirectToAuthorization: () => assert.fail('there is no authorization server'),
  saveCodeVerifier: () => {},
  codeVerifier: () => 'x',
};

for (const [name, { Client, StreamableHTTPClientTransport }] of [['sdk 1.x', v1], ['client 2.x', v2]]) {
  it(`R-AUTH-1 ${name}: the error names the command that creates a token`, async () => {
    const client = new Client({ name: 'oriel-tests', version: '1.0' });
    const transport = new StreamableHTTPClientTransport(new URL(server.mcpUrl), { authProvider: provider });
    await assert.rejects(client.connect(transport), /oriel token create NAME/);
    await client.close();
  });
}
