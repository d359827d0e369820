#include "base/principal.h"

#include "base/enum_names.h"

#include <algorithm>

namespace oriel {
namespace {

constexpr std::array<std::string_view, 6> kScopeNames = {"read",    "answer", "start",
                                                         "publish", "hooks",  "admin"};

}  // namespace

std::string_view name_of(Scope scope) {
  return name_in(kScopeNames, scope);
}

std::optional<Scope> parse_scope(std::string_view name) {
  return find_name<Scope>(kScopeNames, name);
}

std::vector<Scope> ScopeSet::list() const {
  std::vector<Scope> scopes;
  for (std::size_t i = 0; i < kScopeNames.size(); ++i) {
    if (contains(static_cast<Scope>(i))) scopes.push_back(static_cast<Scope>(i));
  }
  return scopes;
}

bool Principal::sees(std::string_view project_id) const {
  return projects.empty() ||
         std::find(projects.begin(), projects.end(), project_id) != projects.end();
}

bool Principal::sees(std::string_view project_id, std::string_view session) const {
  return sees(project_id) && (session_id.empty() || session_id == session);
}

bool Principal::operator==(const Principal& other) const {
  return name == other.name && credential_id == other.credential_id && scopes == other.scopes &&
         projects == other.projects && session_id == other.session_id;
}

}  // namespace oriel
