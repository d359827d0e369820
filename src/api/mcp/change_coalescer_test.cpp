#include "api/mcp/change_coalescer.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Record changed_record(const std::string& session, const std::string& type = "session_event") {
  Record record;
  record.type = type;
  record.session_id = session;
  return record;
}

// What is announced, by name.
std::vector<std::string> names(const std::vector<mcp::Change>& changes) {
  std::vector<std::string> names;
  for (const mcp::Change& change : changes)
    names.push_back(change.what == mcp::Change::What::kResources ? "list" : change.uri);
  return names;
}

TEST(ChangeCoalescer, TheFirstChangeIsAnnouncedAtOnceAndTheNextOnesTogether) {
  ChangeCoalescer ledger;
  EXPECT_THAT(names(ledger.on_record(changed_record("ses_a"))),
              ElementsAre("oriel://sessions/ses_a", "oriel://sessions/ses_a/events"));
  EXPECT_THAT(ledger.on_record(changed_record("ses_a")), IsEmpty());
  EXPECT_THAT(ledger.on_record(changed_record("ses_a")), IsEmpty());
  EXPECT_THAT(names(ledger.on_tick()),
              ElementsAre("oriel://sessions/ses_a", "oriel://sessions/ses_a/events"));
}

TEST(ChangeCoalescer, TicksEndWhenNothingChangesAnyMore) {
  ChangeCoalescer ledger;
  EXPECT_FALSE(ledger.needs_tick());
  ledger.on_record(changed_record("ses_a"));
  EXPECT_TRUE(ledger.needs_tick());
  EXPECT_THAT(ledger.on_tick(), IsEmpty());
  EXPECT_FALSE(ledger.needs_tick());
}

TEST(ChangeCoalescer, TheListChangesWhenASessionBeginsOrEnds) {
  ChangeCoalescer ledger;
  EXPECT_EQ(names(ledger.on_record(changed_record("ses_a", "session_created"))).front(), "list");
  ledger.on_record(changed_record("ses_a", "session_ended"));
  EXPECT_EQ(names(ledger.on_tick()).front(), "list");
}

TEST(ChangeCoalescer, TurnsAndTheirTasksChangeWithTurnsAlone) {
  ChangeCoalescer ledger;
  EXPECT_THAT(names(ledger.on_record(changed_record("ses_a", "turn_created"))),
              ElementsAre("oriel://sessions/ses_a", "oriel://sessions/ses_a/events",
                          "oriel://sessions/ses_a/turns", "oriel://sessions/ses_a/tasks"));
  ledger.on_record(changed_record("ses_b"));
  ledger.on_record(changed_record("ses_a", "turn_updated"));
  EXPECT_THAT(names(ledger.on_tick()),
              ElementsAre("oriel://sessions/ses_a", "oriel://sessions/ses_a/events",
                          "oriel://sessions/ses_b", "oriel://sessions/ses_b/events",
                          "oriel://sessions/ses_a/turns", "oriel://sessions/ses_a/tasks"));
}

TEST(ChangeCoalescer, ProjectsChangeWhenASessionBeginsEndsOrChangesItsState) {
  ChangeCoalescer ledger;
  EXPECT_THAT(
      names(ledger.on_record(changed_record("ses_a", "state_transition"))),
      ElementsAre("oriel://projects", "oriel://sessions/ses_a", "oriel://sessions/ses_a/events"));
  ledger.on_record(changed_record("ses_a", "session_created"));
  EXPECT_THAT(names(ledger.on_tick()),
              ElementsAre("list", "oriel://projects", "oriel://sessions/ses_a",
                          "oriel://sessions/ses_a/events"));
}

TEST(ChangeCoalescer, ObservedSessionsChangeToo) {
  ChangeCoalescer ledger;
  ledger.on_record(changed_record("0b5c", "turn_created"));
  ledger.on_record(changed_record("0b5c", "session_created"));
  EXPECT_THAT(names(ledger.on_tick()),
              ElementsAre("list", "oriel://projects", "oriel://sessions/0b5c",
                          "oriel://sessions/0b5c/events"));
}

// The projects whose readers are notified, by notification.
std::map<std::string, std::set<std::string>> audiences(const std::vector<mcp::Change>& changes) {
  std::map<std::string, std::set<std::string>> audiences;
  const auto said = names(changes);
  for (std::size_t i = 0; i < changes.size(); ++i)
    audiences[said[i]] = changes[i].projects.value();
  return audiences;
}

TEST(ChangeCoalescer, AChangeIsForThoseWhoSeeTheProjectOfItsSession) {
  ChangeCoalescer ledger;
  Record web = changed_record("ses_a", "session_created");
  web.project_id = "web";
  Record api = changed_record("ses_b", "turn_created");
  api.project_id = "api";
  ledger.on_record(changed_record("ses_c"));  // announced at once; the others wait for the tick
  ledger.on_record(web);
  ledger.on_record(api);
  using Only = std::set<std::string>;
  const std::map<std::string, Only> expected = {{"list", {"web"}},
                                                {"oriel://projects", {"web"}},
                                                {"oriel://sessions/ses_a", {"web"}},
                                                {"oriel://sessions/ses_a/events", {"web"}},
                                                {"oriel://sessions/ses_b", {"api"}},
                                                {"oriel://sessions/ses_b/events", {"api"}},
                                                {"oriel://sessions/ses_b/turns", {"api"}},
                                                {"oriel://sessions/ses_b/tasks", {"api"}}};
  EXPECT_EQ(audiences(ledger.on_tick()), expected);
}

TEST(ChangeCoalescer, ATokenOfASessionIsToldOfThatSessionOnly) {
  const Principal agent{.name = "agent:ses_a",
                        .credential_id = "1",
                        .scopes = {Scope::kRead},
                        .projects = {},
                        .session_id = "ses_a"};
  ChangeCoalescer ledger;
  ledger.on_record(changed_record("ses_c"));  // announced at once; the others wait for the tick
  ledger.on_record(changed_record("ses_a", "session_created"));
  ledger.on_record(changed_record("ses_b", "turn_created"));
  std::vector<mcp::Change> changes = ledger.on_tick();
  std::erase_if(changes, [&](const mcp::Change& change) { return !change.is_visible_to(agent); });
  EXPECT_THAT(names(changes),
              ElementsAre("oriel://sessions/ses_a", "oriel://sessions/ses_a/events"));
}

TEST(ChangeCoalescer, EventsOfServicesAreNoResources) {
  ChangeCoalescer ledger;
  EXPECT_THAT(ledger.on_record(changed_record("")), IsEmpty());
  EXPECT_THAT(ledger.on_record(changed_record("42")), IsEmpty());
  EXPECT_FALSE(ledger.needs_tick());
}

}  // namespace
}  // namespace oriel
