// Decides the response of the model by the directives in the newest user message that has any:
//
//   [[run:COMMAND]]       call the agent's shell tool
//   [[call:TOOL JSON]]    call this tool of an MCP server; $KEY in the JSON is the newest value of that key in a tool's result
//   [[until:FILE]]        continue only when this file exists
//   [[think:TEXT]]        reason before the answer
//   [[note:WORD]]         no effect; a word to recall
//   [[recall]]            answer with every word noted in the conversation
//   [[slow:N]]            answer in N pieces, 200 ms apart
//   [[error:STATUS]]      fail with this HTTP status
//
// Tools are called in order, one per response of the model, and then the answer follows. Requests without tools come from the
// agent itself (titles, summaries) and get a short text.

import { pieces, readConversation, readTools } from './apis.mjs';
import { callMcp, isSearchResult } from './mcp_tool.mjs';
import { callShell } from './shell_tool.mjs';

const DIRECTIVE = /\[\[(\w+)(?::([\s\S]*?))?\]\]/g;
const PAUSE_MS = 10;
const SLOW_PAUSE_MS = 200;

const directivesIn = (text) => [...text.matchAll(DIRECTIVE)].map(([, kind, value]) => ({ kind, value: value ?? '' }));

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
  const last = toolResults.at(-1);
  return { text: last === undefined ? 'This is the scripted answer.' : `The tool said: ${last.text.slice(0, 80)}` };
}

// What the model does before its answer, in order: [{kind, value, file}], where `file` must exist before.
function stepsIn(directives) {
  const steps = [];
  let file;
  for (const { kind, value } of directives) {
    if (kind === 'until') file = value;
    if (kind !== 'run' && kind !== 'call') continue;
    steps.push({ kind, value, file });
    file = undefined;
  }
  return steps;
}

// The plan of one response: {status} of an error, or {thinking, text, chunks, calls, pauseMs, file}.
export function decide(api, request) {
  const entries = readConversation(api, request);
  const tools = readTools(api, request);
  const plan = { thinking: '', calls: [], pauseMs: PAUSE_MS };
  const finish = (part) => ({ chunks: pieces(part.text, 9), ...plan, ...part });
  if (tools.length === 0) return finish({ text: 'A side request.' });

  const newest = entries.findLastIndex((entry) => entry.role === 'user' && directivesIn(entry.text).length > 0);
  const directives = newest < 0 ? [] : directivesIn(entries[newest].text);
  const failure = directives.find((directive) => directive.kind === 'error');
  if (failure) return { status: Number(failure.value) };

  const toolResults = entries.slice(newest + 1).filter((entry) => entry.role === 'tool' && !isSearchResult(entry));
  const next = stepsIn(directives)[toolResults.length];
  plan.thinking = directives.find((directive) => directive.kind === 'think')?.value ?? '';
  if (!next) return finish(answer(directives, entries, toolResults));
  const call = next.kind === 'run' ? callShell(next.value, tools) : callMcp(next.value, tools, entries, toolResults);
  if (call) return finish({ text: 'I use a tool.', calls: [call], file: next.file });
  return finish({ text: `None of these tools fits ${next.kind}: ${tools.map((tool) => tool.name).join(', ')}.` });
}
