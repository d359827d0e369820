#pragma once
// How to run an agent: the values of `[agents.NAME]`.

#include "agent/adapters/adapter.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace oriel {

enum class SandboxKind { kNone, kBubblewrap, kPodman, kDocker };

inline bool is_container(SandboxKind kind) {
  return kind == SandboxKind::kPodman || kind == SandboxKind::kDocker;
}

struct AgentSpec {
  std::string name;
  AdapterKind adapter = AdapterKind::kAcp;
  std::vector<std::string> command;  // the program and its arguments
  std::vector<std::pair<std::string, std::string>> env;
  std::vector<std::string> pass_env;  // names of Oriel's variables passed to it
  SandboxKind sandbox = SandboxKind::kNone;
  std::vector<std::string>
      sandbox_command;  // launcher and its global options; empty: bwrap, podman or docker
  std::vector<std::string> sandbox_options;  // further arguments of bwrap, podman run, docker run
  std::string image;                         // for podman and docker
  std::filesystem::path home;                // empty: the home of Oriel's user
  std::filesystem::path uploads;             // uploaded files, mounted read-only; empty: none
  PermissionMode permissions = PermissionMode::kAsk;
  std::string model;
  std::string auth_method;
};

// Names in oriel.toml, flags and responses.
std::string_view name_of(AdapterKind kind);
std::string_view name_of(SandboxKind kind);
std::string_view name_of(PermissionMode mode);
std::optional<AdapterKind> parse_adapter_kind(std::string_view name);
std::optional<SandboxKind> parse_sandbox_kind(std::string_view name);
std::optional<PermissionMode> parse_permission_mode(std::string_view name);

}  // namespace oriel
