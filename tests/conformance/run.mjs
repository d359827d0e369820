// Runs the official MCP conformance suite against a server, in both protocol revisions that it scores. Fails unless every
// scenario, scored or only reported, passes without a warning.
//   node run.mjs SERVER SUITE_DIR [REVISION SCENARIO]     with a scenario: runs only that one and shows the suite's output

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ServerProcess } from '../support/process.mjs';

// Expected numbers: a check without anything to test passes silently.
const EXPECTED = {
  '2025-11-25': { scored: 30, reported: 3, checks: 83 },
  '2026-07-28': { scored: 37, reported: 12, checks: 196 },
};
const NEVER_RUN = ['tasks-status-notifications']; // the suite always skips it

const [serverProgram, suiteDir, onlyRevision, onlyScenario] = process.argv.slice(2);
const suite = join(suiteDir, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

function runSuite(args, stdio = 'pipe') {
  return spawnSync(process.execPath, [suite, ...args], { encoding: 'utf8', maxBuffer: 1 << 28, stdio });
}

// The server scenarios that a protocol revision requires.
function requiredScenarios(revision) {
  const { stdout } = runSuite(['list', '--requirements', revision]);
  const section = stdout.split(/^Server scenarios.*$/m)[1]?.split(/^\S/m)[0] ?? '';
  return [...section.matchAll(/^ {2}- (\S+)$/gm)].map((match) => match[1]);
}

// The results in `dir`: scenario -> checks. An aborted scenario has none.
function readChecks(dir) {
  const checks = new Map();
  for (const name of existsSync(dir) ? readdirSync(dir) : []) {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
    const file = join(dir, name, 'checks.json');
    checks.set(scenario, existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []);
  }
  return checks;
}

// One line for each problem of a scenario.
function problemsOf(scenario, checks) {
  const wrong = checks.filter((check) => !['SUCCESS', 'INFO'].includes(check.status));
  const lines = wrong.map((check) => `${check.status} ${scenario}: ${check.name}: ${check.errorMessage ?? check.description}`);
  if (!checks.some((check) => check.status === 'SUCCESS')) lines.push(`FAILURE ${scenario}: no check has passed`);
  return lines;
}

// Prints the problems and the score; true if there is no problem.
function score(url, revision) {
  const dir = join(suiteDir, `results-${revision}`);
  rmSync(dir, { recursive: true, force: true });
  const run = runSuite(['server', '--url', url, '--requirements', revision, '-o', dir]);
  const checks = readChecks(dir);
  const required = requiredScenarios(revision);
  const others = [...checks.keys()].filter((scenario) => !required.includes(scenario) && !NEVER_RUN.includes(scenario));
  const passes = (scenario) => {
    const lines = problemsOf(scenario, checks.get(scenario) ?? []);
    for (const line of lines) console.log(line);
    return lines.length === 0;
  };
  const passed = required.filter(passes).length;
  const othersPassed = others.filter(passes).length;
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

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const server = await ServerProcess.start(serverProgram, [], { ready: /^(http:\S+)\n/, stderr: 'inherit' });
const [, url] = server.ready;

let hasPassed = true;
if (onlyScenario) {
  const args = ['server', '--url', url, '--scenario', onlyScenario, '--spec-version', onlyRevision, '--force'];
  hasPassed = runSuite(args, 'inherit').status === 0;
} else {
  for (const revision of Object.keys(EXPECTED)) hasPassed = score(url, revision) && hasPassed;
}

const exit = await server.stop();
if (exit !== 0) console.log(`${serverProgram} exited with ${exit} instead of 0`);
process.exit(hasPassed && exit === 0 ? 0 : 1);
