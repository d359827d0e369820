#include "api/rest/hook_endpoint.h"

#include "api/api_testing.h"

namespace oriel {
namespace {

http::Request request_of(std::string pid) {
  http::Request request;
  request.peer = "127.0.0.1:5000";
  request.headers = {{"oriel-agent-pid", std::move(pid)}};
  return request;
}

TEST(HookEndpoint, AcceptsAProcessIdFromTheOperatorOnly) {
  http::Request request = request_of("42");
  EXPECT_EQ(agent_pid(request), 42);
  request.principal.credential_id = "1";  // through a proxy on this machine, for example
  EXPECT_EQ(agent_pid(request), std::nullopt);
}

TEST(HookEndpoint, IgnoresAMalformedProcessId) {
  for (const char* text : {"", "0", "-1", "x", "42x", "99999999999999999999"})
    EXPECT_EQ(agent_pid(request_of(text)), std::nullopt) << text;
  EXPECT_EQ(agent_pid(http::Request{}), std::nullopt);
}

class HooksOfAProject : public ApiFixture {
 protected:
  HooksOfAProject()
      : ApiFixture({}, {{.id = "web", .workspace = "/srv/web", .repository = "", .agent = ""},
                        {.id = "api", .workspace = "/srv/api", .repository = "", .agent = ""}}) {
    endpoint_.add_routes(router_);
  }

  http::Response hook(const std::string& session_id, const std::string& cwd) {
    return send("POST", "/api/hooks/user-prompt-submit",
                R"({"session_id":")" + session_id + R"(","cwd":")" + cwd + R"(","prompt":"hi"})");
  }

  HookEndpoint endpoint_{supervisor_};
};

using R_AUTH_3_Hooks = HooksOfAProject;

TEST_F(R_AUTH_3_Hooks, ATokenSendsHooksOfItsProjectsOnly) {
  ASSERT_EQ(hook("theirs", "/srv/api").status, 202);
  principal_.credential_id = "1";
  principal_.projects = {"web"};
  EXPECT_EQ(hook("mine", "/srv/web").status, 202);
  EXPECT_EQ(hook("mine", "/srv/web/src").status, 202) << "before the first one is stored";
  EXPECT_EQ(hook("new", "/srv/api").status, 403);
  EXPECT_EQ(hook("new", "").status, 403);
  EXPECT_EQ(hook("theirs", "/srv/web").status, 403);
  EXPECT_EQ(code_in(hook("theirs", "/srv/web")), "not_allowed");
}

}  // namespace
}  // namespace oriel
