#include "api/token_audit.h"

#include <algorithm>

namespace oriel {
namespace {

void append_missing(std::vector<event::Audit>& entries, AuditAction action,
                    const std::vector<Token>& tokens, const std::vector<Token>& others) {
  for (const Token& token : tokens) {
    const bool is_in_both = std::any_of(others.begin(), others.end(),
                                        [&](const Token& other) { return other.id == token.id; });
    if (is_in_both) continue;
    // The file belongs to the operator.
    entries.push_back({.action = action,
                       .by = std::string(kLocalPrincipal),
                       .address = "command line",
                       .session_id = {},
                       .refusal = {},
                       .token = token.name});
  }
}

}  // namespace

std::vector<event::Audit> audit_of_changes(const std::vector<Token>& before,
                                           const std::vector<Token>& after) {
  std::vector<event::Audit> entries;
  append_missing(entries, AuditAction::kTokenRevoke, before, after);
  append_missing(entries, AuditAction::kTokenCreate, after, before);
  return entries;
}

}  // namespace oriel
