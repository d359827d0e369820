// Sessions as on a busy day, for tests of the layout: an agent of every state, long titles, edits, commands with colours, a table.

import { until } from '../../support/until.mjs';

const TABLE = ['| Step | Result | Duration | Notes | Machine |', '|---|---|---|---|---|', '| configure | passed | 1.2 s | a cache was used | build-7 |', '| unit tests | passed | 48 s | 1 240 tests | build-12 |'].join('\n');
const OUTPUT = '\u001b[1m== unit tests\u001b[0m\n\u001b[32mPASS\u001b[0m parser \u001b[2m(12 ms)\u001b[0m\n\u001b[31mFAIL\u001b[0m store \u001b[33mtimeout\u001b[0m\n';

// Returns the ids of the sessions by their state.
export async function sampleSessions(server) {
  const failed = await server.startSession('search never', { title: 'Where does it never sleep?' });
  await server.idle(failed);
  await server.sendMessage(failed, 'fail');
  const asking = await server.startSession('write NOTES.md: # Release 2.4\n\n- faster search\n- questions on cards', { title: 'Release notes for 2.4', project_id: 'docs' });
  const choosing = await server.startSession('ask', { title: 'Pick a drink for the offsite', project_id: 'docs' });
  const working = await server.startSession('slow 600s list', { title: 'Why does the checkout test hang when the payment provider is slow?' });
  const idle = await server.startSession('count', { title: 'Count all lines', project_id: 'docs' });
  await server.startSession('crash', { title: 'Nightly cleanup', project_id: 'infra' });
  const watched = 'watched';
  await server.hook(watched, 'user-prompt-submit', { prompt: 'Fix the parser, and show me the test results as a table' });
  const tools = [
    ['Read', { file_path: `${server.workspace}/src/parser.ts` }, { content: 'export const parse = (text: string): string[] => text.split(",");\n' }],
    ['Edit', { file_path: `${server.workspace}/src/parser.ts`, old_string: 'one\ntwo\nthree\n', new_string: 'one\n2\nthree\nfour\n' }, {}],
    ['Bash', { command: 'npm test -- --reporter=spec', description: 'Run the tests' }, { stdout: OUTPUT }],
    ['Grep', { pattern: 'parse\\(', path: 'src', output_mode: 'content' }, { stdout: 'src/parser.ts:12' }],
  ];
  for (const [i, [tool_name, tool_input, tool_response]] of tools.entries()) {
    await server.hook(watched, 'pre-tool-use', { tool_name, tool_input, tool_use_id: `c${i}` });
    await server.hook(watched, 'post-tool-use', { tool_name, tool_input, tool_response, tool_use_id: `c${i}` });
  }
  await server.hook(watched, 'stop', { last_assistant_message: `The parser accepts empty fields now. One test fails:\n\n${TABLE}\n\nRun it again with \`npm test\`.` });
  for (const id of [asking, choosing]) await until(async () => (await server.get(`/api/sessions/${id}`)).permissions.length > 0, `${id} asks`);
  await server.idle(idle);
  return { failed, asking, choosing, working, idle, watched };
}
