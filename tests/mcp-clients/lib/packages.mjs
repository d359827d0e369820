// The clients under test, from build/mcp-clients, where script/setup mcp-clients puts them.

import { createRequire } from 'node:module';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../../..');
export const INSTALLED = path.join(ROOT, 'build/mcp-clients');

const fromInstalled = createRequire(path.join(INSTALLED, 'package.json'));

export const v1 = {
  ...fromInstalled('@modelcontextprotocol/sdk/client/index.js'),
  ...fromInstalled('@modelcontextprotocol/sdk/client/streamableHttp.js'),
  ...fromInstalled('@modelcontextprotocol/sdk/types.js'),
};
export const v2 = fromInstalled('@modelcontextprotocol/client');
