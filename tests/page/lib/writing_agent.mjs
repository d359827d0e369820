// An ACP agent on standard input and output that writes the number of lines in its prompt, ten every 10 ms, and goes on until it is
// interrupted.

import readline from 'node:readline';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
let prompt; // the id of the open one

function write(sessionId, from, end) {
  if (from >= end) return;
  const text = Array.from({ length: 10 }, (_, i) => `- line ${from + i} of a long answer${(from + i) % 50 === 49 ? '\n\nAnd then:\n' : ''}\n`).join('');
  send({ method: 'session/update', params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } } });
  setTimeout(write, 10, sessionId, from + 10, end);
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') send({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] } });
  else if (method === 'session/new') send({ id, result: { sessionId: 'writing' } });
  else if (method === 'session/prompt') {
    prompt = id;
    write(params.sessionId, 0, Number(params.prompt[0].text));
  } else if (method === 'session/cancel') send({ id: prompt, result: { stopReason: 'cancelled' } });
  else if (id !== undefined && method) send({ id, error: { code: -32601, message: method } });
}
