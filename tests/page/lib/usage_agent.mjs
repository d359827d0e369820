// An ACP agent on standard input and output that reports usage: 1000 tokens and half a dollar per prompt.

import readline from 'node:readline';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
let prompts = 0;

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') send({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] } });
  else if (method === 'session/new') send({ id, result: { sessionId: 'usage' } });
  else if (method === 'session/prompt') {
    prompts += 1;
    const update = { sessionUpdate: 'usage_update', used: 10 * prompts, size: 100, cost: { amount: 0.5 * prompts, currency: 'USD' } }; // cost of all prompts so far
    send({ method: 'session/update', params: { sessionId: params.sessionId, update } });
    send({ id, result: { stopReason: 'end_turn', usage: { inputTokens: 900, outputTokens: 100 } } });
  } else if (id !== undefined) send({ id, error: { code: -32601, message: method } });
}
