#include "api/refused_request.h"

#include "base/id.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace oriel {
namespace {

struct RouteAction {
  std::string_view pattern;
  AuditAction action;
};

constexpr std::string_view kSessionPattern = "/api/sessions/{id}/";

constexpr std::array kActions = {
    RouteAction{"/api/sessions", AuditAction::kStart},
    RouteAction{"/api/sessions/{id}/messages", AuditAction::kMessage},
    RouteAction{"/api/turns", AuditAction::kMessage},
    RouteAction{"/api/sessions/{id}/cancel", AuditAction::kCancel},
    RouteAction{"/api/sessions/{id}/permissions/{permission_id}", AuditAction::kAnswer},
    RouteAction{"/api/sessions/{id}/end", AuditAction::kEnd},
    RouteAction{"/api/import", AuditAction::kImport},
    RouteAction{"/api/login-links", AuditAction::kLink},
    RouteAction{"/api/events", AuditAction::kPublish},
    RouteAction{"/api/hooks/{kind}", AuditAction::kHook}};

// The session that the path names. Empty: none.
std::string session_in(std::string_view pattern, std::string_view path) {
  if (!pattern.starts_with(kSessionPattern)) return {};
  path.remove_prefix(std::min(path.size(), kSessionPattern.find('{')));
  const std::string id(path.substr(0, path.find('/')));
  return is_name(id) ? id : std::string();
}

}  // namespace

std::optional<event::Audit> audit_of_refused(const http::Route& route,
                                             const http::Request& request) {
  const auto found = std::find_if(kActions.begin(), kActions.end(), [&](const RouteAction& known) {
    return known.pattern == route.pattern;
  });
  if (found == kActions.end() || route.method == "GET") return std::nullopt;
  return event::Audit{.action = found->action,
                      .by = request.principal.name,
                      .address = request.principal.address,
                      .session_id = session_in(route.pattern, request.path)};
}

}  // namespace oriel
