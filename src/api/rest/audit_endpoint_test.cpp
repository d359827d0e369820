#include "api/rest/audit_endpoint.h"

#include "api/api_testing.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;

class R_AUTH_6 : public ApiFixture {
 protected:
  R_AUTH_6() { endpoint_.add_routes(router_); }

  static Principal ann(std::vector<std::string> projects = {}) {
    return {.name = "ann",
            .credential_id = "1",
            .scopes = ScopeSet::all(),
            .projects = std::move(projects),
            .address = "10.0.0.7"};
  }

  std::string start_in(std::string project_id) {
    NewSession wanted;
    wanted.project_id = std::move(project_id);
    return wait(sessions_.create(ann(), wanted)).value().session->session_id;
  }

  // "action status by", in order.
  std::vector<std::string> audit(const std::string& query = {}) {
    std::vector<std::string> lines;
    const json::value answer = json_of(send("GET", "/api/audit" + query));
    for (const json::value& entry : answer.at("entries").as_array()) {
      const auto text = [](const json::value& value) { return std::string(value.as_string()); };
      lines.push_back(text(entry.at("text")) + " " + text(entry.at("status")) + " " +
                      text(entry.at("data").at("by")));
    }
    return lines;
  }

  AuditEndpoint endpoint_{journal_};
};

TEST_F(R_AUTH_6, EveryCommandIsRecordedWithWhoAndFromWhere) {
  const std::string id = start_in("web");
  wait(sessions_.cancel(ann(), id));
  wait(sessions_.message(ann(), id, "hello", ""));
  wait(sessions_.answer(ann(), id, "perm_none", {}));
  wait(sessions_.end(ann(), id));
  EXPECT_THAT(audit(), ElementsAre("start ok ann", "cancel no_task ann", "message ok ann",
                                   "answer unknown_permission ann", "end ok ann"));
  const json::value first = json_of(send("GET", "/api/audit?limit=1"));
  EXPECT_EQ(first.at("entries").at(0).at("data").at("session_id"), json::value(id));
  EXPECT_EQ(first.at("entries").at(0).at("data").at("address"), "10.0.0.7");
  EXPECT_EQ(first.at("has_more"), true);
  EXPECT_THAT(audit("?after=" + std::string(first.at("next").as_string()) + "&limit=1"),
              ElementsAre("cancel no_task ann"));
}

TEST_F(R_AUTH_6, WhatWasRefusedIsRecorded) {
  const std::string id = start_in("web");
  wait(sessions_.end(ann({"api"}), id));
  NewSession foreign;
  foreign.project_id = "web";
  wait(sessions_.create(ann({"api"}), foreign));
  EXPECT_THAT(audit(),
              ElementsAre("start ok ann", "end unknown_session ann", "start not_allowed ann"));
}

TEST_F(R_AUTH_6, AMissingScopeIsRecordedOncePerSecondPrincipalAndAction) {
  const SteadyTime start{std::chrono::hours(1)};
  const auto refuse = [&](const char* name, AuditAction action, std::chrono::milliseconds after) {
    event::Audit entry{.action = action, .by = name, .address = "::1", .session_id = {}};
    wait(audit_.record_missing_scope(std::move(entry), start + after));
  };
  using namespace std::chrono_literals;
  refuse("ann", AuditAction::kStart, 0ms);
  refuse("ann", AuditAction::kStart, 999ms);
  refuse("ann", AuditAction::kEnd, 999ms);
  refuse("bob", AuditAction::kStart, 999ms);
  refuse("ann", AuditAction::kStart, 1000ms);
  EXPECT_THAT(audit(), ElementsAre("start missing_scope ann", "end missing_scope ann",
                                   "start missing_scope bob", "start missing_scope ann"));
}

TEST_F(R_AUTH_6, AnAdministratorOfAProjectSeesItsEntriesOnly) {
  start_in("web");
  start_in("api");
  principal_.projects = {"api"};
  EXPECT_THAT(audit(), ElementsAre("start ok ann"));
  principal_.projects = {"none"};
  EXPECT_THAT(audit(), IsEmpty());
}

TEST_F(R_AUTH_6, EventsOfCommandsNameThePrincipal) {
  const std::string id = start_in("web");
  wait(sessions_.message(ann(), id, "hello", ""));
  wait(sessions_.end(ann(), id));
  SessionQuery query;
  query.session_id = id;
  std::vector<std::string> named;
  for (const RecordPtr& record : wait(journal_.read_session(query)).records) {
    const json::value event = json::parse(record->json());
    const json::value* const data = event.as_object().if_contains("data");
    const bool has_name = data != nullptr && data->as_object().contains("by");
    if (!has_name) continue;
    EXPECT_EQ(data->at("by"), "ann");
    named.emplace_back(event.at("text").as_string());
  }
  EXPECT_THAT(named, IsSupersetOf({"session created", "hello", "session ended"}));
  EXPECT_EQ(wait(sessions_.find(ann(), id)).value()->owner, "ann");
}

TEST_F(R_AUTH_6, AMalformedQueryNamesTheParameter) {
  EXPECT_EQ(send("GET", "/api/audit?after=x").status, 400U);
  EXPECT_EQ(send("GET", "/api/audit?limit=0").status, 400U);
  EXPECT_EQ(code_in(send("GET", "/api/audit?types=a")), "unknown_parameter");
}

}  // namespace
}  // namespace oriel
