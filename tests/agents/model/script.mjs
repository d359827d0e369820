// Decides what the model says, from the directives in the newest user message that has any:
//
//   [[run:COMMAND]]       call the agent's shell tool
//   [[read:PATH]]         call its tool that reads files
//   [[write:PATH|TEXT]]   call its tool that writes files
//   [[think:TEXT]]        reason before the answer
//   [[note:WORD]]         nothing; a word to recall
//   [[recall]]            answer with every word noted in the conversation so far
//   [[slow:N]]            answer in N pieces, 200 ms apart
//   [[size:N]]            answer with N bytes
//   [[error:STATUS]]      fail with this HTTP status
//
// Tool directives are carried out in their order, one model call each; then comes the answer. Requests that offer no
// tools are the agent's own (titles, summaries) and get a short text.

import { readConversation, readTools } from './languages.mjs';
import { callTool } from './tools.mjs';

const DIRECTIVE = /\[\[(\w+)(?::([\s\S]*?))?\]\]/g;
const TOOL_DIRECTIVES = new Set(['run', 'read', 'write']);
const USUAL_PAUSE_MS = 10;
const SLOW_PAUSE_MS = 200;

const directivesIn = (text) => [...text.matchAll(DIRECTIVE)].map(([, kind, value]) => ({ kind, value: value ?? '' }));

const pieces = (text, length) => text.match(new RegExp(`[\\s\\S]{1,${length}}`, 'g')) ?? [];

// No word twice in a row: some agents give up on an answer that repeats itself.
function longText(bytes) {
  const words = [];
  for (let length = 0, i = 0; length < bytes; i++) {
    words.push(`word${(i * 7919) % 99991}`);
    length += words.at(-1).length + 1;
  }
  return words.join(' ').slice(0, bytes);
}

function answer(directives, entries, toolResults) {
  const value = (kind) => directives.find((directive) => directive.kind === kind)?.value;
  if (value('recall') !== undefined) {
    const noted = entries.filter((entry) => entry.role === 'user').flatMap((entry) => directivesIn(entry.text))
      .filter((directive) => directive.kind === 'note').map((directive) => directive.value);
    return { text: `You noted: ${noted.join(', ')}.` };
  }
  if (value('slow') !== undefined) {
    const chunks = Array.from({ length: Number(value('slow')) }, (_, i) => `piece ${i + 1} `);
    return { text: chunks.join(''), chunks, pauseMs: SLOW_PAUSE_MS };
  }
  if (value('size') !== undefined) {
    const text = longText(Number(value('size')));
    return { text, chunks: [text] };
  }
  const last = toolResults.at(-1);
  return { text: last === undefined ? 'This is the scripted answer.' : `The tool said: ${last.text.slice(0, 80)}` };
}

// One model call as a plan: {status} of an error, or {thinking, text, chunks, calls, pauseMs}.
export function decide(language, request) {
  const entries = readConversation(language, request);
  const tools = readTools(language, request);
  const plan = { thinking: '', calls: [], pauseMs: USUAL_PAUSE_MS };
  const finish = (part) => ({ ...plan, ...part, chunks: part.chunks ?? pieces(part.text, 9) });
  if (tools.length === 0) return finish({ text: 'A side request.' });

  const newest = entries.findLastIndex((entry) => entry.role === 'user' && directivesIn(entry.text).length > 0);
  const directives = newest < 0 ? [] : directivesIn(entries[newest].text);
  const failure = directives.find((directive) => directive.kind === 'error');
  if (failure) return { status: Number(failure.value) };

  const toolResults = entries.slice(newest + 1).filter((entry) => entry.role === 'tool');
  const next = directives.filter((directive) => TOOL_DIRECTIVES.has(directive.kind))[toolResults.length];
  plan.thinking = directives.find((directive) => directive.kind === 'think')?.value ?? '';
  if (!next) return finish(answer(directives, entries, toolResults));
  const call = callTool(next, tools);
  if (call) return finish({ text: 'I use a tool.', calls: [call] });
  return finish({ text: `No tool fits "${next.kind}" among ${tools.map((tool) => tool.name).join(', ')}.` });
}
