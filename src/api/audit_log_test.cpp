#include "api/audit_log.h"

#include "api/api_testing.h"
#include "base/log_capture_testing.h"
#include "journal/journal_testing.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using AuditLogTest = ApiFixture;

TEST_F(AuditLogTest, AnEntryIsStoredWhenTheCallReturns) {
  const Principal ann{.name = "ann",
                      .credential_id = "1",
                      .scopes = ScopeSet::all(),
                      .projects = {},
                      .address = "10.0.0.7"};
  const Sequence before = journal_.head();
  wait(audit_.record(audit_of(ann, AuditAction::kCancel, "ses_1"), "web"));
  EXPECT_EQ(journal_.head(), before + 1);
}

TEST_F(AuditLogTest, ASuccessfulActionHasItsPrincipalAddressAndSession) {
  const Principal ann{.name = "ann",
                      .credential_id = "1",
                      .scopes = ScopeSet::all(),
                      .projects = {},
                      .address = "10.0.0.7"};
  const event::Audit audit = audit_of(ann, AuditAction::kCancel, "ses_1");
  EXPECT_EQ(audit.action, AuditAction::kCancel);
  EXPECT_EQ(audit.by, "ann");
  EXPECT_EQ(audit.address, "10.0.0.7");
  EXPECT_EQ(audit.session_id, "ses_1");
  EXPECT_FALSE(audit.refusal);
}

TEST_F(AuditLogTest, AFailingJournalDoesNotFailTheCaller) {
  auto engine = std::make_unique<TestEngine>();
  engine->fails = true;
  Journal failing(std::move(engine), {});
  failing.start();
  AuditLog audit(failing);
  EXPECT_NO_THROW(wait(audit.record(audit_of(principal_, AuditAction::kEnd), "")));
  EXPECT_EQ(failing.head(), 0U);
  failing.stop();
}

TEST_F(AuditLogTest, AFailingJournalIsLoggedOnceAndNotForEachEntry) {
  const LogCapture log;
  auto engine = std::make_unique<TestEngine>();
  engine->fails = true;
  Journal failing(std::move(engine), {});
  failing.start();
  AuditLog audit(failing);
  for (int i = 0; i < 200; ++i)
    wait(audit.record(audit_of(principal_, AuditAction::kEnd), ""));
  failing.stop();
  EXPECT_EQ(log.lines("audit: "), 1U) << log.text();
}

}  // namespace
}  // namespace oriel
