#include "api/token_audit.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

Token called(std::string name) {
  Token token;
  token.id = "id of " + name;
  token.name = std::move(name);
  return token;
}

event::Audit entry(AuditAction action, std::string token) {
  return {.action = action,
          .by = "local",
          .address = "command line",
          .session_id = {},
          .refusal = {},
          .token = std::move(token)};
}

TEST(R_AUTH_6_Tokens, EachCreatedAndRevokedTokenIsAnEntry) {
  EXPECT_THAT(audit_of_changes({called("ci"), called("old")}, {called("ci"), called("new")}),
              testing::ElementsAre(entry(AuditAction::kTokenRevoke, "old"),
                                   entry(AuditAction::kTokenCreate, "new")));
  EXPECT_THAT(audit_of_changes({called("ci")}, {called("ci")}), testing::IsEmpty());
}

}  // namespace
}  // namespace oriel
