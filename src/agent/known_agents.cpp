#include "agent/known_agents.h"

#include <algorithm>
#include <array>
#include <system_error>
#include <unistd.h>

namespace oriel {
namespace {

namespace fs = std::filesystem;

using Names = std::vector<std::string>;

constexpr const char* kDemoProgram = "oriel-demo-agent";

// Proxy and certificate settings that every agent may need to reach its model.
constexpr std::array kNetworkVariables = {"HTTPS_PROXY",   "HTTP_PROXY",   "NO_PROXY",
                                          "https_proxy",   "http_proxy",   "no_proxy",
                                          "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"};

struct KnownAgent {
  const char* name;
  AdapterKind adapter;
  Names command;
  Names variables;  // keys and endpoints of its model
  Names home;       // its own directories and files in the home
  Names copied;     // settings in there
  Names logins;     // the same for logins
  Names shown;      // what other runs execute or read, never changed from inside a sandbox
  const char* auth_method;
  const char* how_to_install;
};

// The demo agent next to this executable, if present.
std::string demo_program() {
  std::error_code unknown;
  const fs::path self = fs::read_symlink("/proc/self/exe", unknown);
  const fs::path beside = self.parent_path() / kDemoProgram;
  const bool is_there = !unknown && ::access(beside.c_str(), X_OK) == 0;
  return is_there ? beside.string() : kDemoProgram;
}

const std::vector<KnownAgent>& table() {
  static const std::vector<KnownAgent> kAgents = {
      {"demo",
       AdapterKind::kAcp,
       {kDemoProgram},
       {},
       {".local/state/oriel-demo-agent"},
       {},
       {},
       {},
       "",
       "oriel-demo-agent is built with oriel: install both into one directory"},
      {"droid",
       AdapterKind::kDroid,
       {"droid"},
       {"FACTORY_API_KEY", "FACTORY_AIRGAP_ENABLED", "FACTORY_DROID_AUTO_UPDATE_ENABLED"},
       {".factory"},
       {".factory/settings.json", ".factory/settings.local.json", ".factory/config.json",
        ".factory/mcp.json", ".factory/hooks.json", ".factory/AGENTS.md"},
       {".factory/auth.json", ".factory/auth.encrypted", ".factory/auth.v2.file",
        ".factory/auth.v2.key"},
       {".factory/bin", ".factory/commands", ".factory/droids", ".factory/hooks",
        ".factory/plugins", ".factory/skills"},
       "",
       "npm install -g droid, then run droid once to log in, or set FACTORY_API_KEY"},
      {"claude",
       AdapterKind::kClaude,
       {"claude"},
       {"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL",
        "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CONFIG_DIR", "IS_SANDBOX"},
       {".claude"},
       {".claude.json", ".claude/settings.json", ".claude/settings.local.json",
        ".claude/CLAUDE.md"},
       {".claude/.credentials.json"},
       {".claude/agents", ".claude/commands", ".claude/hooks", ".claude/output-styles",
        ".claude/plugins", ".claude/skills"},
       "",
       "npm install -g @anthropic-ai/claude-code, then run claude once to log in, or set "
       "ANTHROPIC_API_KEY"},
      {"codex",
       AdapterKind::kCodex,
       {"codex"},
       {"OPENAI_API_KEY", "OPENAI_BASE_URL", "CODEX_API_KEY", "CODEX_HOME"},
       {".codex"},
       {".codex/config.toml", ".codex/AGENTS.md", ".codex/hooks.json"},
       {".codex/auth.json"},
       {".codex/agents", ".codex/hooks", ".codex/plugins", ".codex/prompts", ".codex/rules",
        ".codex/skills"},
       "",
       "npm install -g @openai/codex, then codex login, or set OPENAI_API_KEY"},
      {"opencode",
       AdapterKind::kAcp,
       {"opencode", "acp"},
       {"OPENCODE_CONFIG", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY",
        "OPENROUTER_API_KEY", "GROQ_API_KEY"},
       {".config/opencode", ".local/share/opencode", ".local/state/opencode"},
       {".config/opencode/opencode.json", ".config/opencode/opencode.jsonc",
        ".config/opencode/config.json", ".config/opencode/AGENTS.md"},
       {".local/share/opencode/auth.json", ".local/share/opencode/mcp-auth.json"},
       {".config/opencode/agent", ".config/opencode/agents", ".config/opencode/command",
        ".config/opencode/commands", ".config/opencode/plugin", ".config/opencode/plugins",
        ".config/opencode/skills", ".local/share/opencode/bin"},
       "",
       "npm install -g opencode-ai, then opencode auth login"},
      {"gemini",
       AdapterKind::kAcp,
       {"gemini", "--acp"},
       {"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_CLOUD_PROJECT",
        "GOOGLE_CLOUD_LOCATION", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_APPLICATION_CREDENTIALS"},
       {".gemini"},
       {".gemini/settings.json", ".gemini/GEMINI.md", ".gemini/.env",
        ".gemini/trustedFolders.json"},
       {".gemini/oauth_creds.json", ".gemini/google_accounts.json"},
       {".gemini/agents", ".gemini/commands", ".gemini/extensions", ".gemini/hooks",
        ".gemini/policies", ".gemini/skills"},
       "gemini-api-key",
       "npm install -g @google/gemini-cli, and set GEMINI_API_KEY"},
      {"qwen",
       AdapterKind::kAcp,
       {"qwen", "--acp"},
       {"OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "DASHSCOPE_API_KEY"},
       {".qwen"},
       {".qwen/settings.json", ".qwen/QWEN.md", ".qwen/.env", ".qwen/trustedFolders.json"},
       {".qwen/oauth_creds.json"},
       {".qwen/agents", ".qwen/commands", ".qwen/extensions", ".qwen/hooks", ".qwen/skills"},
       "",
       "npm install -g @qwen-code/qwen-code, then run qwen once to log in, or set OPENAI_API_KEY "
       "and OPENAI_BASE_URL"},
      {"copilot",
       AdapterKind::kAcp,
       {"copilot", "--acp"},
       {"COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_MODEL",
        "COPILOT_PROVIDER_BASE_URL", "COPILOT_PROVIDER_API_KEY"},
       {".copilot"},
       {".copilot/config.json", ".copilot/settings.json", ".copilot/mcp-config.json",
        ".copilot/copilot-instructions.md"},
       {},
       {".copilot/agents", ".copilot/hooks", ".copilot/pkg", ".copilot/skills"},
       "",
       "npm install -g @github/copilot, then run copilot once to log in, or set "
       "COPILOT_GITHUB_TOKEN"},
  };
  return kAgents;
}

std::vector<HomePart> home_parts_of(const KnownAgent& agent) {
  std::vector<HomePart> parts;
  const auto add = [&](const Names& paths, HomeAccess access) {
    for (const std::string& path : paths)
      parts.push_back({.path = path, .access = access});
  };
  add(agent.home, HomeAccess::kPrivate);
  add(agent.copied, HomeAccess::kCopied);
  add(agent.logins, HomeAccess::kLogin);
  add(agent.shown, HomeAccess::kReadOnly);
  return parts;
}

AgentSpec spec_of(const KnownAgent& agent) {
  AgentSpec spec;
  spec.name = agent.name;
  spec.adapter = agent.adapter;
  spec.command = agent.command;
  if (spec.command.front() == kDemoProgram) spec.command.front() = demo_program();
  spec.pass_env = agent.variables;
  spec.pass_env.insert(spec.pass_env.end(), kNetworkVariables.begin(), kNetworkVariables.end());
  spec.home_parts = home_parts_of(agent);
  spec.auth_method = agent.auth_method;
  return spec;
}

}  // namespace

std::vector<AgentSpec> known_agents() {
  std::vector<AgentSpec> specs;
  for (const KnownAgent& agent : table())
    specs.push_back(spec_of(agent));
  return specs;
}

std::string how_to_install(std::string_view agent_name) {
  for (const KnownAgent& agent : table()) {
    if (agent.name == agent_name) return agent.how_to_install;
  }
  return "";
}

}  // namespace oriel
