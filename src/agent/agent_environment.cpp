#include "agent/agent_environment.h"

#include <algorithm>
#include <array>

namespace oriel {
namespace {

constexpr std::array<std::string_view, 4> kEverywhere = {"LANG", "LANGUAGE", "TERM", "TZ"};
constexpr std::array<std::string_view, 6> kOnThisHost = {"PATH",    "HOME",  "USER",
                                                         "LOGNAME", "SHELL", "TMPDIR"};

// A sandbox has a proxy of its own and cannot reach those of the host.
constexpr std::array<std::string_view, 8> kProxies = {"HTTPS_PROXY", "HTTP_PROXY",  "NO_PROXY",
                                                      "ALL_PROXY",   "https_proxy", "http_proxy",
                                                      "no_proxy",    "all_proxy"};

template <class Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_allowed(std::string_view name, const AgentSpec& spec) {
  if (spec.sandbox != SandboxKind::kNone && contains(kProxies, name)) return false;
  if (contains(spec.pass_env, name)) return true;
  if (name.starts_with("LC_") || contains(kEverywhere, name)) return true;
  // Bubblewrap mounts a private /tmp.
  if (name == "TMPDIR") return spec.sandbox == SandboxKind::kNone;
  return !is_container(spec.sandbox) && contains(kOnThisHost, name);
}

}  // namespace

Environment agent_environment(const AgentSpec& spec, const Environment& own) {
  Environment environment{{"TERM", "dumb"}, {"NO_COLOR", "1"}};
  for (const auto& [name, value] : own)
    if (is_allowed(name, spec)) environment[name] = value;
  if (!spec.home.empty()) environment["HOME"] = spec.home.string();
  for (const auto& [name, value] : spec.env)
    environment[name] = value;
  std::erase_if(environment, [](const auto& entry) { return entry.first.starts_with("ORIEL_"); });
  if (!spec.oriel_token.empty()) environment["ORIEL_TOKEN"] = spec.oriel_token;
  return environment;
}

}  // namespace oriel
