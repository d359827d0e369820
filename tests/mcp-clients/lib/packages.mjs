// The clients under test, installed in build/mcp-clients by script/setup mcp-clients.

import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from '../../support/server.mjs';

export const INSTALLED = path.join(ROOT, 'build/mcp-clients');

const fromInstalled = createRequire(path.join(INSTALLED, 'package.json'));

export const v1 = {
  ...fromInstalled('@modelcontextprotocol/sdk/client/index.js'),
  ...fromInstalled('@modelcontextprotocol/sdk/client/streamableHttp.js'),
  ...fromInstalled('@modelcontextprotocol/sdk/types.js'),
};
export const v2 = fromInstalled('@modelcontextprotocol/client');
