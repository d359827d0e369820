#pragma once
// How to run an agent: the values of `[agents.NAME]`.

#include "agent/adapters/adapter.h"
#include "agent/sandbox/network_policy.h"

#include <cstdint>
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

// How a sandbox shows a part of the user's home.
enum class HomeAccess {
  kPrivate,   // a directory of this session's own, in its place
  kCopied,    // a private copy of the user's file, made again at each start
  kLogin,     // the user's own file, writable: logins are renewed
  kReadOnly,  // the user's own
};

// A part of the home that belongs to a known agent.
struct HomePart {
  std::string path;  // relative
  HomeAccess access = HomeAccess::kPrivate;

  bool operator==(const HomePart&) const = default;
};

struct AgentSpec {
  std::string name;
  AdapterKind adapter = AdapterKind::kAcp;
  std::vector<std::string> command;  // the program and its arguments
  std::vector<std::pair<std::string, std::string>> env;
  std::vector<std::string> pass_env;  // names of Oriel's variables passed to it
  SandboxKind sandbox = SandboxKind::kNone;
  std::vector<std::string>
      sandbox_command;  // launcher and its global options; empty: bwrap, podman or docker
  // Further arguments of bwrap, podman run or docker run. They can disable all protection of the
  // sandbox.
  std::vector<std::string> unsafe_sandbox_options;
  NetworkPolicy network;             // of a sandbox
  std::vector<HomePart> home_parts;  // of a known agent; directories before what lies in them
  // Further parts of the user's home that a sandbox shows, writable. Relative. A final "/" marks a
  // directory, which is created if missing.
  std::vector<std::string> home_paths;
  std::vector<std::string> sandbox_read;      // further paths that a sandbox shows
  std::vector<std::string> sandbox_write;     // the same, writable
  std::uint64_t max_processes = 4096;         // in a sandbox, threads included; 0: no limit
  std::uint64_t max_memory = 0;               // bytes, of all its processes; 0: no limit
  std::string image;                          // for podman and docker
  std::filesystem::path home;                 // empty: the home of Oriel's user
  std::filesystem::path uploads;              // uploaded files, mounted read-only; empty: none
  std::filesystem::path private_home;         // keeps this session's home_parts; empty: in memory
  std::vector<std::filesystem::path> hidden;  // directories of Oriel that no sandbox shows
  std::vector<std::filesystem::path> hidden_files;  // the same for its configuration and keys
  std::filesystem::path own_directory;  // of this session, shown although hidden; empty: none
  bool allow_oriel = false;             // the sandbox may reach Oriel, with its own token
  std::uint16_t oriel_port = 0;         // Oriel's own; 0: none
  bool oriel_uses_tls = false;          // on that port
  std::string oriel_token;              // of its session, for allow_oriel; empty: none
  std::filesystem::path oriel_socket;   // of Oriel; no sandbox shows it; empty: none
  std::filesystem::path sandbox_init;   // empty: beside this program
  PermissionMode permissions = PermissionMode::kAsk;
  std::vector<std::string> node_labels;  // in a cluster it runs only on nodes that have them
  std::string model;
  std::string auth_method;
  bool redact = true;  // masks secrets in its text
};

// Names in oriel.toml, flags and responses.
std::string_view name_of(AdapterKind kind);
std::string_view name_of(SandboxKind kind);
std::optional<AdapterKind> parse_adapter_kind(std::string_view name);
std::optional<SandboxKind> parse_sandbox_kind(std::string_view name);

}  // namespace oriel
