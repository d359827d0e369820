// The model APIs that agents use: OpenAI's chat completions ("chat") and responses ("responses"), Anthropic's messages
// ("messages"), and Google's generateContent ("gemini"). Parses their requests and writes their responses.

import { setTimeout as sleep } from 'node:timers/promises';

const CREATED = 1_700_000_000;
let lastNumber = 0;
const newId = (prefix) => `${prefix}_${String(++lastNumber).padStart(6, '0')}`;

// Splits a text into pieces of at most `length` characters.
export const pieces = (text, length) => text.match(new RegExp(`[\\s\\S]{1,${length}}`, 'g')) ?? [];

function textOf(content) {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('\n');
  return content ? textOf(content.text ?? content.content ?? content.output) : '';
}

const readers = {
  chat: {
    conversation: (request) => request.messages.map((entry) => ({ role: entry.role, text: textOf(entry.content) })),
    tools: (request) => (request.tools ?? []).filter((tool) => tool.function)
      .map((tool) => ({ name: tool.function.name, schema: tool.function.parameters })),
  },
  messages: {
    conversation: (request) => request.messages.flatMap((entry) => [entry.content].flat().map((block) => ({
      role: block.type === 'tool_result' ? 'tool' : entry.role,
      text: textOf(block),
    }))),
    tools: (request) => (request.tools ?? []).map((tool) => ({ name: tool.name, schema: tool.input_schema })),
  },
  responses: {
    conversation: (request) => [request.input].flat().map((item) => {
      if (typeof item === 'string') return { role: 'user', text: item };
      const isResult = String(item.type).endsWith('_call_output');
      return { role: isResult ? 'tool' : item.role ?? 'item', text: textOf(isResult ? item.output : item.content) };
    }),
    tools: (request) => (request.tools ?? []).flatMap((tool) => {
      if (tool.type === 'function') return [{ name: tool.name, schema: tool.parameters }];
      if (tool.type === 'namespace') {
        return tool.tools.map((inner) => ({ name: inner.name, namespace: tool.name, schema: inner.parameters }));
      }
      return [];
    }),
  },
  gemini: {
    conversation: (request) => (request.contents ?? []).flatMap((entry) => entry.parts.map((part) => {
      const role = { model: 'assistant' }[entry.role] ?? entry.role;
      const { functionResponse } = part;
      return functionResponse ? { role: 'tool', text: JSON.stringify(functionResponse.response) } : { role, text: part.text ?? '' };
    })),
    tools: (request) => (request.tools ?? []).flatMap((tool) => (tool.functionDeclarations ?? [])
      .map((declared) => ({ name: declared.name, schema: declared.parametersJsonSchema ?? declared.parameters }))),
  },
};

// [{role: "user" | "assistant" | "tool" | ..., text}], oldest first.
export const readConversation = (api, request) => readers[api].conversation(request);

// [{name, schema}] of the tools that the agent offers.
export const readTools = (api, request) => readers[api].tools(request);

export async function writeChat(plan, request, stream) {
  const id = newId('chatcmpl');
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  const calls = plan.calls.map(({ tool, input }, index) => ({
    index, id: newId('call'), type: 'function', function: { name: tool.name, arguments: JSON.stringify(input) },
  }));
  const reason = calls.length > 0 ? 'tool_calls' : 'stop';
  const head = { id, created: CREATED, model: request.model };
  if (!request.stream) {
    const message = { role: 'assistant', content: plan.text, ...(calls.length > 0 && { tool_calls: calls }) };
    return stream.json({ ...head, object: 'chat.completion', usage, choices: [{ index: 0, finish_reason: reason, message }] });
  }
  const send = (delta, finish = null) =>
    stream.data({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] });
  send({ role: 'assistant', content: '' });
  if (plan.thinking) send({ reasoning_content: plan.thinking });
  for (const content of plan.chunks) {
    if (stream.isGone()) return undefined;
    send({ content });
    await sleep(plan.pauseMs);
  }
  for (const { function: call, ...rest } of calls) {
    send({ tool_calls: [{ ...rest, function: { name: call.name, arguments: '' } }] });
    for (const part of pieces(call.arguments, 20)) send({ tool_calls: [{ index: rest.index, function: { arguments: part } }] });
  }
  send({}, reason);
  stream.data({ ...head, object: 'chat.completion.chunk', choices: [], usage });
  return stream.end('data: [DONE]\n\n');
}

export async function writeMessages(plan, request, stream) {
  const usage = { input_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 10 };
  const blocks = [
    ...(plan.thinking ? [{ type: 'thinking', thinking: plan.thinking, signature: 'c2ln' }] : []),
    { type: 'text', text: plan.text },
    ...plan.calls.map(({ tool, input }) => ({ type: 'tool_use', id: newId('toolu'), name: tool.name, input })),
  ];
  const end = { stop_reason: plan.calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null };
  const message = { id: newId('msg'), type: 'message', role: 'assistant', model: request.model };
  if (!request.stream) return stream.json({ ...message, content: blocks, ...end, usage });

  const send = (event) => stream.event(event.type, event);
  send({
    type: 'message_start',
    message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } },
  });
  for (const [index, block] of blocks.entries()) {
    const empty = { text: { text: '' }, thinking: { thinking: '', signature: '' }, tool_use: { input: {} } }[block.type];
    const deltas = {
      text: () => plan.chunks.map((text) => ({ type: 'text_delta', text })),
      thinking: () => [{ type: 'thinking_delta', thinking: block.thinking }, { type: 'signature_delta', signature: 'c2ln' }],
      tool_use: () => pieces(JSON.stringify(block.input), 20).map((part) => ({ type: 'input_json_delta', partial_json: part })),
    }[block.type]();
    send({ type: 'content_block_start', index, content_block: { ...block, ...empty } });
    for (const delta of deltas) {
      if (stream.isGone()) return undefined;
      send({ type: 'content_block_delta', index, delta });
      await sleep(plan.pauseMs);
    }
    send({ type: 'content_block_stop', index });
  }
  send({ type: 'message_delta', delta: end, usage });
  send({ type: 'message_stop' });
  return stream.end();
}

function responseItems(plan) {
  const items = [];
  if (plan.thinking) {
    items.push({ id: newId('rs'), type: 'reasoning', summary: [{ type: 'summary_text', text: plan.thinking }] });
  }
  const content = [{ type: 'output_text', text: plan.text, annotations: [] }];
  items.push({ id: newId('msg'), type: 'message', status: 'completed', role: 'assistant', content });
  for (const { tool, input } of plan.calls) {
    items.push({
      id: newId('fc'), type: 'function_call', status: 'completed', call_id: newId('call'), name: tool.name,
      ...(tool.namespace && { namespace: tool.namespace }), arguments: JSON.stringify(input),
    });
  }
  return items;
}

export async function writeResponses(plan, request, stream) {
  const items = responseItems(plan);
  const usage = {
    input_tokens: 100, input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 110,
  };
  const head = { id: newId('resp'), object: 'response', created_at: CREATED, model: request.model, error: null, tools: [] };
  const complete = { ...head, status: 'completed', output: items, usage };
  if (!request.stream) return stream.json(complete);

  let number = 0;
  const send = (type, event) => stream.event(type, { type, sequence_number: number++, ...event });
  send('response.created', { response: { ...head, status: 'in_progress', output: [], usage: null } });
  for (const [index, item] of items.entries()) {
    const target = { item_id: item.id, output_index: index };
    const initial = { message: { content: [] }, reasoning: { summary: [] }, function_call: { arguments: '' } }[item.type];
    send('response.output_item.added', { output_index: index, item: { ...item, status: 'in_progress', ...initial } });
    if (item.type === 'message') {
      for (const delta of plan.chunks) {
        if (stream.isGone()) return undefined;
        send('response.output_text.delta', { ...target, content_index: 0, delta });
        await sleep(plan.pauseMs);
      }
      send('response.output_text.done', { ...target, content_index: 0, text: plan.text });
    } else if (item.type === 'reasoning') {
      send('response.reasoning_summary_text.delta', { ...target, summary_index: 0, delta: plan.thinking });
      send('response.reasoning_summary_text.done', { ...target, summary_index: 0, text: plan.thinking });
    } else {
      send('response.function_call_arguments.delta', { ...target, delta: item.arguments });
      send('response.function_call_arguments.done', { ...target, arguments: item.arguments });
    }
    send('response.output_item.done', { output_index: index, item });
  }
  send('response.completed', { response: complete });
  return stream.end();
}

export async function writeGemini(plan, request, stream) {
  const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 };
  const answer = (parts, finishReason) => ({ candidates: [{ index: 0, content: { role: 'model', parts }, finishReason }], usageMetadata });
  const calls = plan.calls.map(({ tool, input }) => ({ functionCall: { name: tool.name, args: input } }));
  if (!request.isStreamed) return stream.json(answer([{ text: plan.text }, ...calls], 'STOP'));
  for (const text of plan.chunks) {
    if (stream.isGone()) return undefined;
    stream.data(answer([{ text }]));
    await sleep(plan.pauseMs);
  }
  stream.data(answer(calls.length > 0 ? calls : [{ text: '' }], 'STOP'));
  return stream.end();
}
