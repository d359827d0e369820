// An agent that tells what it uses, over ACP on standard input and output: 1000 tokens and half a dollar for each prompt.

import readline from 'node:readline';

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
let prompts = 0;

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] } });
  else if (method === 'session/new') say({ id, result: { sessionId: 'paid' } });
  else if (method === 'session/prompt') {
    prompts += 1;
    const update = { sessionUpdate: 'usage_update', used: 10 * prompts, size: 100, cost: { amount: 0.5 * prompts, currency: 'USD' } }; // cost: of all prompts
    say({ method: 'session/update', params: { sessionId: params.sessionId, update } });
    say({ id, result: { stopReason: 'end_turn', usage: { inputTokens: 900, outputTokens: 100 } } });
  } else if (id !== undefined) say({ id, error: { code: -32601, message: method } });
}
