#pragma once
// Actions of principals that the audit records.

#include <optional>
#include <string_view>

namespace oriel {

enum class AuditAction {
  kStart,    // a session
  kMessage,  // to an agent, typed, spoken or with files
  kCancel,
  kAnswer,  // a permission
  kEnd,
  kImport,
  kLink,   // makes a login link
  kLogin,  // uses one
  kLogout,
  kPublish,
  kHook,
  kTokenCreate,
  kTokenRevoke,
};

std::string_view name_of(AuditAction action);  // "start", "message", ...
std::optional<AuditAction> parse_audit_action(std::string_view name);

}  // namespace oriel
