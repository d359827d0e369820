// Runs the official MCP conformance suite against a server, in both revisions of the protocol that it scores, and fails
// unless every scenario that it scores or only reports has passed without a warning.
//   node run.mjs SERVER SUITE_DIR [REVISION SCENARIO]     with a scenario: only that one, in the suite's own words

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

// How much there is, so that it is noticed when less is run: a check that finds nothing to look at only says so.
const EXPECTED = {
  '2025-11-25': { scored: 30, reported: 3, checks: 83 },
  '2026-07-28': { scored: 37, reported: 12, checks: 196 },
};
const NEVER_RUN = ['tasks-status-notifications']; // the suite skips it whatever the server does

const [serverProgram, suiteDir, onlyRevision, onlyScenario] = process.argv.slice(2);
const suite = join(suiteDir, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

function runSuite(args, stdio = 'pipe') {
  return spawnSync(process.execPath, [suite, ...args], { encoding: 'utf8', maxBuffer: 1 << 28, stdio });
}

// The server scenarios that a revision requires.
function requiredScenarios(revision) {
  const { stdout } = runSuite(['list', '--requirements', revision]);
  const section = stdout.split(/^Server scenarios.*$/m)[1]?.split(/^\S/m)[0] ?? '';
  return [...section.matchAll(/^ {2}- (\S+)$/gm)].map((match) => match[1]);
}

// What the suite has left behind: scenario -> its checks. A scenario that broke off has none.
function readChecks(dir) {
  const checks = new Map();
  for (const name of existsSync(dir) ? readdirSync(dir) : []) {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
    const file = join(dir, name, 'checks.json');
    checks.set(scenario, existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []);
  }
  return checks;
}

// What keeps a scenario from being green, in words.
function complaints(scenario, checks) {
  const wrong = checks.filter((check) => !['SUCCESS', 'INFO'].includes(check.status));
  const lines = wrong.map((check) => `${check.status} ${scenario}: ${check.name}: ${check.errorMessage ?? check.description}`);
  if (!checks.some((check) => check.status === 'SUCCESS')) lines.push(`FAILURE ${scenario}: no check has passed`);
  return lines;
}

// True if all is green; says what is not.
function score(url, revision) {
  const dir = join(suiteDir, `results-${revision}`);
  rmSync(dir, { recursive: true, force: true });
  const run = runSuite(['server', '--url', url, '--requirements', revision, '-o', dir]);
  const checks = readChecks(dir);
  const required = requiredScenarios(revision);
  const others = [...checks.keys()].filter((scenario) => !required.includes(scenario) && !NEVER_RUN.includes(scenario));
  const isGreen = (scenario) => {
    const lines = complaints(scenario, checks.get(scenario) ?? []);
    for (const line of lines) console.log(line);
    return lines.length === 0;
  };
  const passed = required.filter(isGreen).length;
  const othersPassed = others.filter(isGreen).length;
  const count = [...checks.values()].flat().filter((check) => check.status === 'SUCCESS').length;
  const expected = EXPECTED[revision];
  console.log(
    `${revision}: ${passed}/${expected.scored} scored, ${othersPassed}/${expected.reported} only reported, ` +
      `${count} checks of at least ${expected.checks}`,
  );
  if (checks.size === 0) console.log(run.stdout + run.stderr);
  const isAll = passed === expected.scored && othersPassed === expected.reported && count >= expected.checks;
  return run.status === 0 && isAll;
}

const server = spawn(serverProgram, { stdio: ['ignore', 'pipe', 'inherit'] });
const ended = new Promise((resolve) => server.once('close', (code, signal) => resolve(code ?? signal)));
process.once('exit', () => server.kill('SIGKILL'));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const lines = createInterface({ input: server.stdout });
const url = await new Promise((resolve) => {
  lines.once('line', resolve);
  lines.once('close', () => resolve(undefined));
});
if (!url) {
  console.log(`${serverProgram} has ended (${await ended}) before it said where it listens`);
  process.exit(1);
}

let isGreen = true;
if (onlyScenario) {
  const args = ['server', '--url', url, '--scenario', onlyScenario, '--spec-version', onlyRevision, '--force'];
  isGreen = runSuite(args, 'inherit').status === 0;
} else {
  for (const revision of Object.keys(EXPECTED)) isGreen = score(url, revision) && isGreen;
}

server.kill('SIGTERM');
const code = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 15_000, 'still running'))]);
if (code !== 0) console.log(`${serverProgram} was to end with 0, and did with ${code}`);
process.exit(isGreen && code === 0 ? 0 : 1);
