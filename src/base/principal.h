#pragma once
// The sender of a request and its rights. Values only; auth identifies the sender.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

enum class Scope {
  kRead,     // see sessions and events
  kAnswer,   // answer permissions
  kStart,    // start sessions, send messages, cancel and end
  kPublish,  // publish events of services
  kHooks,    // send hooks of observed agents
  kAdmin,    // import, see connected clients and the audit
};

std::string_view name_of(Scope scope);  // "read", "answer", ...
std::optional<Scope> parse_scope(std::string_view name);

class ScopeSet {
 public:
  constexpr ScopeSet() = default;

  constexpr ScopeSet(std::initializer_list<Scope> scopes) {
    for (const Scope scope : scopes)
      insert(scope);
  }

  static constexpr ScopeSet all() {
    return {Scope::kRead,    Scope::kAnswer, Scope::kStart,
            Scope::kPublish, Scope::kHooks,  Scope::kAdmin};
  }

  constexpr void insert(Scope scope) { bits_ |= bit(scope); }

  constexpr bool contains(Scope scope) const { return (bits_ & bit(scope)) != 0; }

  constexpr bool empty() const { return bits_ == 0; }

  std::vector<Scope> list() const;

  bool operator==(const ScopeSet&) const = default;

 private:
  static constexpr std::uint8_t bit(Scope scope) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(scope));
  }

  std::uint8_t bits_ = 0;
};

// The name of the operator on this machine.
inline constexpr std::string_view kLocalPrincipal = "local";

struct Principal {
  std::string name;           // kLocalPrincipal, or that of a credential
  std::string credential_id;  // empty for the operator
  ScopeSet scopes;
  std::vector<std::string> projects;  // that it is limited to; empty: none
  std::string session_id = {};        // that it is limited to; empty: none
  std::string address = {};           // where the request comes from, without a port

  bool may(Scope scope) const { return scopes.contains(scope); }

  // Whether it has access to this project; empty: to objects without a project.
  bool sees(std::string_view project_id) const;

  // Whether it has access to this session of the project; empty: to objects without a session.
  bool sees(std::string_view project_id, std::string_view session) const;

  // Ignores the address: a client may change networks.
  bool operator==(const Principal& other) const;
};

}  // namespace oriel
