#!/usr/bin/env node
// Replaces hosted language models in tests of real agents: listens on a free port of MODEL_HOST (127.0.0.1), prints its URL, and
// follows the directives in the prompts (model/script.mjs).
//
//   node model_server.mjs [REQUESTS.jsonl]     appends every request to that file

import fs from 'node:fs';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { decide } from './model/script.mjs';
import { writeChat, writeGemini, writeMessages, writeResponses } from './model/apis.mjs';

const requestsFile = process.argv[2];
const MODELS = { object: 'list', has_more: false, data: [{ id: 'scripted', object: 'model', type: 'model', owned_by: 'tests' }] };
const ROUTES = [
  { path: '/chat/completions', api: 'chat', write: writeChat },
  { path: '/messages', api: 'messages', write: writeMessages },
  { path: '/responses', api: 'responses', write: writeResponses },
  { path: 'enerateContent', api: 'gemini', write: writeGemini }, // generateContent and streamGenerateContent
];
const FILE_POLL_MS = 50;

async function bodyOf(request) {
  let text = '';
  for await (const part of request) text += part;
  return text === '' ? {} : JSON.parse(text);
}

function streamTo(response) {
  const open = () => response.headersSent || response.writeHead(200, { 'content-type': 'text/event-stream' });
  const write = (text) => { open(); response.write(text); };
  return {
    data: (value) => write(`data: ${JSON.stringify(value)}\n\n`),
    event: (type, value) => write(`event: ${type}\ndata: ${JSON.stringify(value)}\n\n`),
    json(value, status = 200) {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    },
    end: (text = '') => { open(); response.end(text); },
    isGone: () => response.destroyed,
  };
}

function fail(stream, status) {
  stream.json({ type: 'error', error: { type: 'api_error', code: String(status), message: `scripted error ${status}` } }, status);
}

async function handle(request, response) {
  const stream = streamTo(response);
  const { pathname } = new URL(request.url, 'http://localhost');
  const body = await bodyOf(request);
  const route = ROUTES.find(({ path }) => request.method === 'POST' && pathname.endsWith(path));
  if (requestsFile) fs.appendFileSync(requestsFile, `${JSON.stringify({ pathname, api: route?.api, body })}\n`);
  if (pathname.endsWith('/models')) return stream.json(MODELS);
  if (pathname.endsWith('/count_tokens')) return stream.json({ input_tokens: 100 });
  if (pathname.endsWith(':countTokens')) return stream.json({ totalTokens: 100 });
  if (!route) return fail(stream, 404);
  const plan = decide(route.api, body);
  if (plan.status) return fail(stream, plan.status);
  while (plan.file && !fs.existsSync(plan.file) && !stream.isGone()) await sleep(FILE_POLL_MS);
  return route.write(plan, { ...body, isStreamed: body.stream || pathname.includes(':stream') }, stream);
}

const server = http.createServer((request, response) => {
  handle(request, response).catch((error) => {
    console.error(error);
    response.destroy();
  });
});
const host = process.env.MODEL_HOST ?? '127.0.0.1';
server.listen(0, host, () => console.log(`http://${host}:${server.address().port}`));
