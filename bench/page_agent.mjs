// An agent that works like a real one, only faster: words, thoughts, tools with output. It speaks ACP on standard input and
// output. The prompt is the number of steps; a step is about five events.

import readline from 'node:readline';

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (sessionId, fields) => say({ method: 'session/update', params: { sessionId, update: fields } });
const text = (words) => ({ type: 'text', text: words });

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
  if (method === 'initialize') say({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] } });
  else if (method === 'session/new') say({ id, result: { sessionId: 'paced' } });
  else if (method === 'session/prompt') {
    await work(params.sessionId, Number(params.prompt[0].text));
    say({ id, result: { stopReason: 'end_turn' } });
  } else if (id !== undefined) say({ id, error: { code: -32601, message: method } });
}
