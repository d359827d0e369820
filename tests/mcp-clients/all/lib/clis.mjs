// The coding CLIs under test, installed in build/mcp-clients/all by script/setup all-mcp-clients: how each is run once with a
// prompt, and how it finds the scripted model.

import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../../support/server.mjs';

const PACKAGES = path.join(ROOT, 'build/mcp-clients/all/node_modules');

function writeJson(file, value) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(value));
}

// `setup`: its name in `oriel mcp --setup`. `prepare`: writes what it needs into its home and returns its variables. `words`: the
// command line for a prompt, which `takesInput` has on standard input. `settleTime`: ms during which it
// reads lists after a change, and exits if one of these requests is cut. `reconnectTime`: ms that it takes to notice that the server
// is back.
export const CLIS = [
  {
    name: 'Claude Code',
    setup: 'claude-code',
    program: '@anthropic-ai/claude-code-linux-x64/claude',
    prepare: (home, model) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      ENABLE_TOOL_SEARCH: 'false',
    }),
    words: (prompt) => ['-p', prompt, '--allowedTools', 'mcp__oriel'],
  },
  {
    name: 'Codex',
    setup: 'codex',
    program: '@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex',
    prepare: (home, model) => {
      fs.mkdirSync(path.join(home, '.codex'));
      fs.writeFileSync(path.join(home, '.codex/config.toml'), `model = "scripted"
model_provider = "scripted"
[model_providers.scripted]
name = "Scripted"
base_url = "${model}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`);
      return { SCRIPTED_KEY: 'none' };
    },
    words: (prompt) => ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
  },
  {
    name: 'Gemini CLI',
    setup: 'gemini',
    isScript: true,
    program: '@google/gemini-cli/bundle/gemini.js',
    prepare: (home, model) => {
      writeJson(path.join(home, '.gemini/settings.json'), {
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        general: { disableAutoUpdate: true },
      });
      return { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: model };
    },
    words: (prompt) => ['--yolo', '--skip-trust', '-m', 'gemini-2.5-pro', '-p', prompt],
  },
  {
    name: 'Qwen Code',
    setup: 'qwen',
    isScript: true,
    program: '@qwen-code/qwen-code/cli-entry.js',
    prepare: (home, model) => ({ OPENAI_BASE_URL: `${model}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'scripted' }),
    words: (prompt) => ['--auth-type', 'openai', '--yolo', prompt],
  },
  {
    name: 'Copilot CLI',
    setup: 'copilot',
    reconnectTime: 5000,
    program: '@github/copilot-linux-x64/copilot',
    prepare: (home, model) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
      COPILOT_MODEL: 'scripted',
    }),
    words: (prompt) => ['--allow-all-tools', '-p', prompt],
  },
  {
    name: 'opencode',
    setup: 'opencode',
    program: 'opencode-linux-x64/bin/opencode',
    prepare: (home, model) => {
      writeJson(path.join(home, '.config/opencode/opencode.json'), {
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${model}/v1`, apiKey: 'none' },
            models: { scripted: { name: 'Scripted' } },
          },
        },
        model: 'scripted/scripted',
        autoupdate: false,
        share: 'disabled',
      });
      return { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' };
    },
    takesInput: true, // it quotes the words of its command line
    words: () => ['run', '--auto'],
  },
  {
    name: 'Factory Droid',
    setup: 'droid',
    settleTime: 1500,
    program: '@factory/cli-linux-x64/bin/droid',
    prepare: (home, model) => {
      writeJson(path.join(home, '.factory/settings.json'), {
        customModels: [{
          model: 'scripted',
          id: 'custom:scripted',
          displayName: 'Scripted',
          baseUrl: model,
          apiKey: 'none',
          provider: 'anthropic',
          maxOutputTokens: 4096,
        }],
      });
      return { FACTORY_AIRGAP_ENABLED: 'true' };
    },
    words: (prompt) => ['exec', '--skip-permissions-unsafe', '--add-tools', 'MCP:oriel', '-m', 'custom:scripted', prompt],
  },
];

// The program and its first arguments.
export function commandOf(cli) {
  const program = path.join(PACKAGES, cli.program);
  return cli.isScript ? [process.execPath, program] : [program];
}
