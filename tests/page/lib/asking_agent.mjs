// An ACP agent on standard input and output that asks for the permission in its prompt: the parameters of session/request_permission as
// JSON. It answers with the option that was chosen.

import readline from 'node:readline';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
let prompt; // the id of the open one

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, method, params, result } = JSON.parse(line);
  if (method === 'initialize') send({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] } });
  else if (method === 'session/new') send({ id, result: { sessionId: 'asking' } });
  else if (method === 'session/prompt') {
    prompt = id;
    send({ id: `ask-${id}`, method: 'session/request_permission', params: { sessionId: params.sessionId, ...JSON.parse(params.prompt[0].text) } });
  } else if (result?.outcome) {
    const text = `chosen: ${result.outcome.optionId}`;
    send({ method: 'session/update', params: { sessionId: 'asking', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } } });
    send({ id: prompt, result: { stopReason: 'end_turn' } });
  } else if (id !== undefined && method) send({ id, error: { code: -32601, message: method } });
}
