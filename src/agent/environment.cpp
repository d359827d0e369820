#include "agent/environment.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <unistd.h>

namespace oriel {
namespace {

constexpr std::array<std::string_view, 4> kEverywhere = {"LANG", "LANGUAGE", "TERM", "TZ"};
constexpr std::array<std::string_view, 6> kOnThisHost = {"PATH",    "HOME",  "USER",
                                                         "LOGNAME", "SHELL", "TMPDIR"};

template <class Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_allowed(std::string_view name, const AgentSpec& spec) {
  if (contains(spec.pass_env, name)) return true;
  if (name.starts_with("LC_") || contains(kEverywhere, name)) return true;
  // Bubblewrap's /tmp is private: ours is not there.
  if (name == "TMPDIR") return spec.sandbox == SandboxKind::kNone;
  return !is_container(spec.sandbox) && contains(kOnThisHost, name);
}

}  // namespace

Environment own_environment() {
  Environment own;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view line = *entry;
    const std::size_t equals = line.find('=');
    if (equals == line.npos || equals == 0) continue;
    own.emplace(line.substr(0, equals), line.substr(equals + 1));
  }
  return own;
}

Environment agent_environment(const AgentSpec& spec, const Environment& own) {
  Environment environment{{"TERM", "dumb"}, {"NO_COLOR", "1"}};
  for (const auto& [name, value] : own)
    if (is_allowed(name, spec)) environment[name] = value;
  if (!spec.home.empty()) environment["HOME"] = spec.home.string();
  for (const auto& [name, value] : spec.env)
    environment[name] = value;
  std::erase_if(environment, [](const auto& entry) { return entry.first.starts_with("ORIEL_"); });
  return environment;
}

std::string program_path(const Environment& environment) {
  const auto path = environment.find("PATH");
  return path == environment.end() ? "/usr/local/bin:/usr/bin:/bin" : path->second;
}

std::vector<std::string> environment_lines(const Environment& environment) {
  std::vector<std::string> lines;
  lines.reserve(environment.size());
  for (const auto& [name, value] : environment)
    lines.push_back(fmt::format("{}={}", name, value));
  return lines;
}

}  // namespace oriel
