#include "api/rest/session_endpoint.h"

#include "api/api_testing.h"

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

class SessionEndpointTest : public ApiFixture {
 protected:
  SessionEndpointTest() { endpoint_.add_routes(router_); }

  std::string create(const std::string& body = "{}") {
    return std::string(
        json_of(send("POST", "/api/sessions", body)).at("session").at("session_id").as_string());
  }

  SessionEndpoint endpoint_{sessions_};
};

TEST_F(SessionEndpointTest, ListsTheAgents) {
  const json::value body = json_of(send("GET", "/api/agents"));
  EXPECT_EQ(body.at("default").as_string(), "silent");
  ASSERT_EQ(body.at("agents").as_array().size(), 1U);
  EXPECT_EQ(body.at("agents").at(0).at("name").as_string(), "silent");
}

TEST_F(SessionEndpointTest, LongTitleIsABadRequest) {
  const http::Response refused =
      send("POST", "/api/sessions", R"({"title":")" + std::string(1025, 't') + R"("})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(json_of(refused).at("error").at("message").as_string(), "title: exceeds 1024 bytes");
}

TEST_F(SessionEndpointTest, CreatesASession) {
  const http::Response made = send("POST", "/api/sessions", R"({"title":"T"})");
  EXPECT_EQ(made.status, 201);
  const json::value session = json_of(made).at("session");
  EXPECT_EQ(session.at("title").as_string(), "T");
  EXPECT_EQ(session.at("status").as_string(), "idle");
  const std::string id(session.at("session_id").as_string());
  EXPECT_EQ(json_of(send("GET", "/api/sessions/" + id)), session);
}

TEST_F(SessionEndpointTest, ARepeatedRequestReturnsTheFirstSession) {
  const http::Response first = send("POST", "/api/sessions", R"({"request_id":"r"})");
  const http::Response second = send("POST", "/api/sessions", R"({"request_id":"r"})");
  EXPECT_EQ(first.status, 201);
  EXPECT_EQ(second.status, 200);
  EXPECT_EQ(json_of(first).at("session").at("session_id"),
            json_of(second).at("session").at("session_id"));
}

TEST_F(SessionEndpointTest, ListsSessionsByFilterAndLimit) {
  create(R"({"project_id":"one"})");
  create(R"({"project_id":"two"})");
  create(R"({"project_id":"two"})");
  const json::value all = json_of(send("GET", "/api/sessions"));
  EXPECT_EQ(all.at("count").to_number<int>(), 3);
  const json::value some = json_of(send("GET", "/api/sessions?project_id=two&limit=1"));
  EXPECT_EQ(some.at("count").to_number<int>(), 2);
  EXPECT_EQ(some.at("sessions").as_array().size(), 1U);
  EXPECT_TRUE(
      json_of(send("GET", "/api/sessions?status=failed")).at("sessions").as_array().empty());
}

TEST_F(SessionEndpointTest, RejectsMalformedParameters) {
  for (const char* query : {"status=asleep", "limit=0", "limit=1001", "limit=x"}) {
    const http::Response response = send("GET", std::string("/api/sessions?") + query);
    EXPECT_EQ(response.status, 400) << query;
    EXPECT_EQ(code_in(response), "invalid_parameter") << query;
  }
  EXPECT_EQ(code_in(send("GET", "/api/sessions?colour=red")), "unknown_parameter");
}

TEST_F(SessionEndpointTest, RejectsMalformedBodies) {
  EXPECT_EQ(send("POST", "/api/sessions", "[]").status, 400);
  EXPECT_EQ(send("POST", "/api/sessions", R"({"colour":"red"})").status, 400);
  EXPECT_EQ(code_in(send("POST", "/api/sessions", R"({"agent":"nobody"})")), "unknown_agent");
  const http::Response response = send("POST", "/api/sessions/" + create() + "/messages", "{}");
  EXPECT_EQ(response.status, 400);
  EXPECT_THAT(*response.body, HasSubstr("message: is missing or empty"));
}

TEST_F(SessionEndpointTest, UnknownSessionsAndPermissionsAre404) {
  EXPECT_EQ(send("GET", "/api/sessions/ses_none").status, 404);
  EXPECT_EQ(send("POST", "/api/sessions/ses_none/cancel").status, 404);
  EXPECT_EQ(send("POST", "/api/sessions/ses_none/end").status, 404);
  const std::string target = "/api/sessions/" + create() + "/permissions/perm_none";
  const http::Response response = send("POST", target, R"({"decision":"allow"})");
  EXPECT_EQ(response.status, 404);
  EXPECT_EQ(code_in(response), "unknown_permission");
}

TEST_F(SessionEndpointTest, ConflictsWithTheStateAre409) {
  const std::string path = "/api/sessions/" + create();
  EXPECT_EQ(send("POST", path + "/cancel").status, 409);
  const http::Response ended = send("POST", path + "/end");
  EXPECT_EQ(ended.status, 200);
  EXPECT_EQ(json_of(ended).at("status").as_string(), "completed");
  EXPECT_EQ(code_in(send("POST", path + "/messages", R"({"message":"hello"})")), "session_ended");
}

}  // namespace
}  // namespace oriel
