#include "base/event/audit_action.h"

#include "base/enum_names.h"

namespace oriel {
namespace {

constexpr std::array<std::string_view, 13> kActionNames = {
    "start", "message", "cancel",  "answer", "end",          "import",      "link",
    "login", "logout",  "publish", "hook",   "token_create", "token_revoke"};

}  // namespace

std::string_view name_of(AuditAction action) {
  return name_in(kActionNames, action);
}

std::optional<AuditAction> parse_audit_action(std::string_view name) {
  return find_name<AuditAction>(kActionNames, name);
}

}  // namespace oriel
