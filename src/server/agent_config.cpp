#include "server/agent_config.h"

#include "agent/known_agents.h"
#include "base/id.h"
#include "base/text/quote.h"
#include "server/config_section.h"

#include <spdlog/fmt/fmt.h>
#include <toml++/toml.h>

#include <algorithm>

namespace oriel {
namespace {

// The built-in agent of this name, or an empty one.
AgentSpec default_spec(const std::string& name) {
  for (AgentSpec& known : known_agents()) {
    if (known.name == name) return std::move(known);
  }
  AgentSpec spec;
  spec.name = name;
  return spec;
}

// The adapter that belongs to the program, if it has its own.
AdapterKind adapter_of(const std::vector<std::string>& command, AdapterKind otherwise) {
  if (command.empty()) return otherwise;
  const std::string program = std::filesystem::path(command.front()).filename().string();
  const auto adapter = parse_adapter_kind(program);
  return adapter.value_or(otherwise);
}

// A relative path that stays below the home, and is not the home itself.
bool is_below_home(const std::filesystem::path& path) {
  const std::filesystem::path normal = path.lexically_normal();
  return !normal.empty() && normal.is_relative() && *normal.begin() != ".." &&
         *normal.begin() != ".";
}

Result<AgentSpec> read_agent(ConfigSection section, const std::string& name) {
  AgentSpec spec = default_spec(name);
  std::string home;
  section.read("command", spec.command);
  spec.adapter = adapter_of(spec.command, spec.adapter);
  section.read("adapter", spec.adapter, parse_adapter_kind, "droid, acp, claude or codex");
  section.read("sandbox", spec.sandbox, parse_sandbox_kind, "none, bubblewrap, podman or docker");
  section.read("permissions", spec.permissions, parse_permission_mode, "ask, allow or deny");
  section.read("env", spec.env);
  section.read("pass_env", spec.pass_env);
  section.read("sandbox_command", spec.sandbox_command);
  section.read("unsafe_sandbox_options", spec.unsafe_sandbox_options);
  section.read("network", spec.network);
  section.read("allow_oriel", spec.allow_oriel);
  section.read("home_paths", spec.home_paths);
  section.read("sandbox_read", spec.sandbox_read);
  section.read("sandbox_write", spec.sandbox_write);
  section.read("max_processes", spec.max_processes);
  section.read_bytes("max_memory", spec.max_memory);
  section.read("image", spec.image);
  section.read("home", home);
  section.read("node_labels", spec.node_labels);
  section.read("model", spec.model);
  section.read("auth_method", spec.auth_method);
  section.read("redact", spec.redact);
  section.reject_unknown_keys();
  spec.home = home;
  section.require(home.empty() || spec.home.is_absolute(),
                  "home: " + quote(home) + " is not absolute",
                  "write the whole path; ~ is not expanded");
  for (const auto* paths : {&spec.sandbox_read, &spec.sandbox_write})
    for (const std::string& path : *paths)
      section.require(std::filesystem::path(path).is_absolute(), quote(path) + " is not absolute",
                      "write the whole path; ~ is not expanded");
  for (const std::string& path : spec.home_paths)
    section.require(is_below_home(path), "home_paths: " + quote(path) + " is not below the home",
                    R"(write ".config/mine/"; a final / marks a directory)");
  for (const std::string& label : spec.node_labels)
    section.require(is_name(label), "node_labels: " + quote(label) + " is not a label",
                    "a label is 1 to 128 of A-Z a-z 0-9 . _ : -");
  section.require(spec.sandbox != SandboxKind::kNone || !section.has("network"),
                  "network needs a sandbox", R"(add sandbox = "bubblewrap")");
  section.require(spec.sandbox != SandboxKind::kNone || !spec.allow_oriel,
                  "allow_oriel needs a sandbox", R"(add sandbox = "bubblewrap")");
  section.require(!spec.command.empty() && !spec.command.front().empty(), "it has no command",
                  R"(add command = ["PROGRAM"])");
  section.require(!is_container(spec.sandbox) || !spec.image.empty(), "a container needs an image",
                  R"(add image = "NAME")");
  if (section.error()) return *section.error();
  return spec;
}

Result<ProjectSpec> read_project(ConfigSection section, const std::string& id) {
  ProjectSpec project;
  std::string sync;
  project.id = id;
  section.read("workspace", project.workspace);
  section.read("repository", project.repository);
  section.read("agent", project.agent);
  section.read("agents", project.agents);
  section.read("sync", sync);
  section.read("remote", project.sync_remote);
  section.reject_unknown_keys();
  if (project.agent.empty() && !project.agents.empty()) project.agent = project.agents.front();
  if (project.agents.empty() && !project.agent.empty()) project.agents = {project.agent};
  section.require(!section.has("agents") || !project.agents.empty(), "agents: it is empty",
                  "name the agents that tokens may choose, or leave it out");
  section.require(project.agents.empty() ||
                      std::ranges::find(project.agents, project.agent) != project.agents.end(),
                  "agent: " + quote(project.agent) + " is not one of its agents",
                  "add it to agents");
  section.require(project.workspace.empty() || project.repository.empty(),
                  "it has a workspace and a repository", "choose one of them");
  section.require(
      project.workspace.empty() || std::filesystem::path(project.workspace).is_absolute(),
      "workspace: " + quote(project.workspace) + " is not absolute",
      "write the whole path; ~ is not expanded");
  section.require(!section.has("sync") || sync == "git", "sync: " + quote(sync) + " is not git",
                  R"(write sync = "git", or leave it out)");
  section.require(!section.has("sync") || !project.sync_remote.empty(), "sync needs a remote",
                  R"(add remote = "URL" of a git repository)");
  section.require(section.has("sync") || !section.has("remote"), "remote needs sync",
                  R"(add sync = "git")");
  section.require(!section.has("sync") || project.workspace.empty(),
                  "sync pushes the workspaces that Oriel makes, and it has one of its own",
                  "leave out workspace, or name a repository instead");
  if (section.error()) return *section.error();
  return project;
}

// [redact]
Result<std::vector<SecretPattern>> read_patterns(const ConfigText& config,
                                                 const toml::table& file) {
  const toml::node* const node = file.get("redact");
  if (node == nullptr) return std::vector<SecretPattern>();
  const std::string where = fmt::format("{} line {}", config.name, node->source().begin.line);
  if (!node->is_table())
    return bad_config(where, "redact is a section, not a key",
                      R"(write [redact] and patterns = { NAME = "EXPRESSION" } below it)");
  ConfigSection section(config.name, "redact", *node->as_table());
  std::vector<std::pair<std::string, std::string>> expressions;
  section.read("patterns", expressions);
  section.reject_unknown_keys();
  std::vector<SecretPattern> patterns;
  for (auto& [name, expression] : expressions) {
    SecretPattern pattern{.name = name, .expression = expression};
    const auto checked = check_pattern(pattern);
    section.require(is_name(name), "patterns: " + quote(name) + " is not a name",
                    "a name is 1 to 128 of A-Z a-z 0-9 . _ : -");
    if (!checked)
      section.require(false, "patterns: " + name + ": " + checked.error().message,
                      checked.error().hint);
    patterns.push_back(std::move(pattern));
  }
  if (section.error()) return *section.error();
  return patterns;
}

// Calls `read` for each [kind.NAME].
template <class Read>
Result<void> for_each_section(const ConfigText& config, const toml::table& file,
                              const std::string& kind, Read read) {
  const toml::node* const group = file.get(kind);
  if (group == nullptr) return {};
  const std::string where = fmt::format("{} line {}", config.name, group->source().begin.line);
  if (!group->is_table())
    return bad_config(where, kind + " is a section, not a key", "write [" + kind + ".NAME]");
  for (const auto& [key, node] : *group->as_table()) {
    const std::string name(key.str());
    const std::string path = fmt::format("{}.{}", kind, name);
    const std::string line = fmt::format("{} line {}", config.name, node.source().begin.line);
    if (!node.is_table())
      return bad_config(line, path + " is a section, not a key",
                        "write [" + path + "] and its keys below it");
    if (!is_name(name))
      return bad_config(line, quote(name) + " is not a name",
                        "a name is 1 to 128 of A-Z a-z 0-9 . _ : -");
    if (auto done = read(ConfigSection(config.name, path, *node.as_table()), name); !done)
      return done;
  }
  return {};
}

Result<std::vector<std::string>> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool is_word = false;
  char quote_mark = 0;
  for (const char c : text) {
    if (quote_mark != 0) {
      if (c == quote_mark) {
        quote_mark = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote_mark = c;
      is_word = true;
    } else if (c == ' ') {
      if (is_word) words.push_back(std::exchange(word, {}));
      is_word = false;
    } else {
      word += c;
      is_word = true;
    }
  }
  if (quote_mark != 0)
    return Error{.kind = ErrorKind::kBadOption,
                 .message = quote(text) + " has a quote that is not closed",
                 .hint = "add the closing quote"};
  if (is_word) words.push_back(word);
  return words;
}

}  // namespace

bool is_agent_key(std::string_view key) {
  const std::string_view section = key.substr(0, key.find('.'));
  return section == "agents" || section == "projects" || section == "redact";
}

Result<AgentConfig> parse_agent_config(const ConfigText& config) {
  AgentConfig result;
  toml::table file;
  try {
    file = toml::parse(config.text);
  } catch (const toml::parse_error& problem) {
    return bad_config(config.name, std::string(problem.description()), "the file is TOML");
  }
  const auto add_agent = [&](ConfigSection section, const std::string& name) -> Result<void> {
    auto agent = read_agent(std::move(section), name);
    if (!agent) return agent.error();
    result.agents.push_back(*std::move(agent));
    return {};
  };
  const auto add_project = [&](ConfigSection section, const std::string& id) -> Result<void> {
    auto project = read_project(std::move(section), id);
    if (!project) return project.error();
    result.projects.push_back(*std::move(project));
    return {};
  };
  if (auto done = for_each_section(config, file, "agents", add_agent); !done) return done.error();
  if (auto done = for_each_section(config, file, "projects", add_project); !done)
    return done.error();
  auto patterns = read_patterns(config, file);
  if (!patterns) return patterns.error();
  result.patterns = *std::move(patterns);
  return result;
}

Result<std::vector<AgentSpec>> parse_agent_flag(std::string_view text) {
  std::vector<AgentSpec> agents;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    const std::size_t equals = part.find('=');
    const std::string name(part.substr(0, std::min(equals, part.size())));
    if (equals == part.npos || !is_name(name)) {
      return Error{.kind = ErrorKind::kBadOption,
                   .message = quote(part) + " is not NAME=COMMAND",
                   .hint = "write for example mine='my-agent --acp'"};
    }
    auto command = split_words(part.substr(equals + 1));
    if (!command) return command.error();
    if (command->empty()) {
      return Error{.kind = ErrorKind::kBadOption,
                   .message = quote(part) + " has no command",
                   .hint = "write for example mine='my-agent --acp'"};
    }
    AgentSpec spec = default_spec(name);
    spec.adapter = adapter_of(*command, spec.adapter);
    spec.command = *std::move(command);
    agents.push_back(std::move(spec));
  }
  return agents;
}

std::vector<AgentSpec> merge_agents(std::vector<AgentSpec> agents, std::vector<AgentSpec> more) {
  for (AgentSpec& old : agents) {
    const auto is_same = [&](const AgentSpec& spec) { return spec.name == old.name; };
    if (std::none_of(more.begin(), more.end(), is_same)) more.push_back(std::move(old));
  }
  return more;
}

}  // namespace oriel
