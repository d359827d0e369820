#include "api/refused_request.h"

#include "api/api_testing.h"
#include "api/rest/hook_endpoint.h"
#include "api/rest/session_endpoint.h"

namespace oriel {
namespace {

class RefusedRequest : public ApiFixture {
 protected:
  RefusedRequest() {
    SessionEndpoint(sessions_).add_routes(router_);
    HookEndpoint(supervisor_).add_routes(router_);
    PublishEndpoint(journal_, sessions_).add_routes(router_);
  }

  // "action session by address" of the entry, or "none".
  std::string audit(const std::string& method, const std::string& path) {
    http::Request request;
    request.path = path;
    request.principal = {
        .name = "ann", .credential_id = "1", .scopes = {}, .projects = {}, .address = "10.0.0.7"};
    const auto found = router_.find(method, path);
    if (!found) return "no route";
    const auto entry = audit_of_refused(*found->route, request);
    if (!entry) return "none";
    return std::string(name_of(entry->action)) + " " + entry->session_id + " " + entry->by + " " +
           entry->address;
  }
};

using R_AUTH_6_Refused = RefusedRequest;

TEST_F(R_AUTH_6_Refused, TheEntryNamesTheActionTheSessionAndTheSender) {
  EXPECT_EQ(audit("POST", "/api/sessions"), "start  ann 10.0.0.7");
  EXPECT_EQ(audit("POST", "/api/sessions/ses_1/messages"), "message ses_1 ann 10.0.0.7");
  EXPECT_EQ(audit("POST", "/api/sessions/ses_1/cancel"), "cancel ses_1 ann 10.0.0.7");
  EXPECT_EQ(audit("POST", "/api/sessions/ses_1/permissions/p"), "answer ses_1 ann 10.0.0.7");
  EXPECT_EQ(audit("POST", "/api/sessions/ses_1/end"), "end ses_1 ann 10.0.0.7");
  EXPECT_EQ(audit("POST", "/api/events"), "publish  ann 10.0.0.7");
  EXPECT_EQ(audit("POST", "/api/hooks/stop"), "hook  ann 10.0.0.7");
  EXPECT_EQ(audit("POST", "/api/sessions/a b/end"), "end  ann 10.0.0.7") << "not a name";
}

TEST_F(R_AUTH_6_Refused, ReadingIsNoAction) {
  EXPECT_EQ(audit("GET", "/api/sessions"), "none");
  EXPECT_EQ(audit("GET", "/api/sessions/ses_1"), "none");
}

}  // namespace
}  // namespace oriel
