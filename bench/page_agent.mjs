// An ACP agent on standard input and output that produces text and tool calls as fast as it can. The prompt is the number of
// steps; a step makes about five events.

import readline from 'node:readline';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (sessionId, fields) => send({ method: 'session/update', params: { sessionId, update: fields } });
const text = (content) => ({ type: 'text', text: content });

async function work(sessionId, steps) {
  for (let i = 0; i < steps; ++i) {
    const toolCallId = `call-${i}`;
    update(sessionId, { sessionUpdate: 'agent_message_chunk', content: text(`Step ${i}: I look at \`src/part_${i % 97}.cpp\` `) });
    update(sessionId, { sessionUpdate: 'agent_message_chunk', content: text('and **change** what has to be changed.\n\n- one\n- two\n') });
    update(sessionId, { sessionUpdate: 'tool_call', toolCallId, title: `Read part ${i}`, kind: 'read', status: 'in_progress', rawInput: { path: `src/part_${i % 97}.cpp` } });
    update(sessionId, { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', content: [{ type: 'content', content: text(`line ${i}\n`.repeat(8)) }] });
    if (process.stdout.writableNeedDrain) await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
}

const lines = readline.createInterface({ input: process.stdin });
for await (const line of lines) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') send({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] } });
  else if (method === 'session/new') send({ id, result: { sessionId: 'paced' } });
  else if (method === 'session/prompt') {
    await work(params.sessionId, Number(params.prompt[0].text));
    send({ id, result: { stopReason: 'end_turn' } });
  } else if (id !== undefined) send({ id, error: { code: -32601, message: method } });
}
