#include "agent/agent_spec.h"

#include <array>

namespace oriel {
namespace {

template <class Kind>
struct Named {
  Kind kind;
  std::string_view name;
};

constexpr std::array<Named<AdapterKind>, 4> kAdapters{{{AdapterKind::kDroid, "droid"},
                                                       {AdapterKind::kAcp, "acp"},
                                                       {AdapterKind::kClaude, "claude"},
                                                       {AdapterKind::kCodex, "codex"}}};
constexpr std::array<Named<SandboxKind>, 4> kSandboxes{{{SandboxKind::kNone, "none"},
                                                        {SandboxKind::kBubblewrap, "bubblewrap"},
                                                        {SandboxKind::kPodman, "podman"},
                                                        {SandboxKind::kDocker, "docker"}}};

template <class Table, class Kind>
std::string_view find_name(const Table& table, Kind kind) {
  for (const auto& named : table) {
    if (named.kind == kind) return named.name;
  }
  return {};
}

template <class Kind, std::size_t N>
std::optional<Kind> find_kind(const std::array<Named<Kind>, N>& table, std::string_view name) {
  for (const auto& named : table) {
    if (named.name == name) return named.kind;
  }
  return std::nullopt;
}

}  // namespace

std::string_view name_of(AdapterKind kind) {
  return find_name(kAdapters, kind);
}

std::string_view name_of(SandboxKind kind) {
  return find_name(kSandboxes, kind);
}

std::optional<AdapterKind> parse_adapter_kind(std::string_view name) {
  return find_kind(kAdapters, name);
}

std::optional<SandboxKind> parse_sandbox_kind(std::string_view name) {
  return find_kind(kSandboxes, name);
}

}  // namespace oriel
