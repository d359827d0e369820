#include "doors/mcp_resources.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Record record_of(const std::string& session, const std::string& type = "session_event") {
  Record record;
  record.type = type;
  record.session_id = session;
  return record;
}

// What is announced, by name.
std::vector<std::string> names(const std::vector<McpChange>& changes) {
  std::vector<std::string> names;
  for (const McpChange& change : changes)
    names.push_back(change.what == McpChange::What::kResources ? "list" : change.uri);
  return names;
}

TEST(ChangeLedger, TheFirstChangeIsAnnouncedAtOnceAndTheNextOnesTogether) {
  ChangeLedger ledger;
  EXPECT_THAT(names(ledger.on_record(record_of("ses_a"))),
              ElementsAre("oriel://sessions/ses_a", "oriel://sessions/ses_a/events"));
  EXPECT_THAT(ledger.on_record(record_of("ses_a")), IsEmpty());
  EXPECT_THAT(ledger.on_record(record_of("ses_a")), IsEmpty());
  EXPECT_THAT(names(ledger.on_tick()),
              ElementsAre("oriel://sessions/ses_a", "oriel://sessions/ses_a/events"));
}

TEST(ChangeLedger, TicksEndWhenNothingChangesAnyMore) {
  ChangeLedger ledger;
  EXPECT_FALSE(ledger.needs_tick());
  ledger.on_record(record_of("ses_a"));
  EXPECT_TRUE(ledger.needs_tick());
  EXPECT_THAT(ledger.on_tick(), IsEmpty());
  EXPECT_FALSE(ledger.needs_tick());
}

TEST(ChangeLedger, TheListChangesWhenASessionBeginsOrEnds) {
  ChangeLedger ledger;
  EXPECT_EQ(names(ledger.on_record(record_of("ses_a", "session_created"))).front(), "list");
  ledger.on_record(record_of("ses_a", "session_ended"));
  EXPECT_EQ(names(ledger.on_tick()).front(), "list");
}

TEST(ChangeLedger, WhatServicesPublishIsNoResource) {
  ChangeLedger ledger;
  EXPECT_THAT(ledger.on_record(record_of("")), IsEmpty());
  EXPECT_THAT(ledger.on_record(record_of("42")), IsEmpty());
  EXPECT_FALSE(ledger.needs_tick());
}

}  // namespace
}  // namespace oriel
