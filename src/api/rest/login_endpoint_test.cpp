#include "api/rest/login_endpoint.h"

#include "api/api_testing.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class LoginEndpointTest : public ApiFixture {
 protected:
  LoginEndpointTest() { endpoint_.add_routes(router_); }

  // The code of a new link.
  std::string new_code(const std::string& body = "{}") {
    const http::Response made = send("POST", "/api/login-links", body);
    EXPECT_EQ(made.status, 201);
    const std::string path(json_of(made).at("path").as_string());
    EXPECT_THAT(path, StartsWith("/#login="));
    return path.substr(path.find('=') + 1);
  }

  http::Response log_in(const std::string& code) {
    return send("POST", "/api/login", R"({"code":")" + code + R"("})");
  }

  // Sends requests with a new token.
  void be(TokenSpec spec) {
    const NewToken made = tokens_.create(std::move(spec)).value();
    principal_ = tokens_.authenticate(TokenKind::kBearer, made.secret, wall_now()).value();
  }

  static std::string cookie_of(const http::Response& response) {
    for (const auto& [name, value] : response.headers) {
      if (name == "Set-Cookie") return value;
    }
    return "";
  }

  TempDirectory data_;
  TokenStore tokens_{data_ / "tokens.json"};
  OneTimeCodes links_{{}};
  OneTimeCodes tickets_{{}};
  BlockingThread blocking_;
  AuthRefusals refusals_;
  LoginEndpoint endpoint_{tokens_, links_, tickets_, blocking_, audit_, refusals_, {}};
};

TEST_F(LoginEndpointTest, ALinkBecomesACookieOnce) {
  const std::string code = new_code();
  const http::Response first = log_in(code);
  EXPECT_EQ(first.status, 200);
  const std::string cookie = cookie_of(first);
  EXPECT_THAT(cookie, StartsWith("oriel_login=oriel_"));
  EXPECT_THAT(cookie, HasSubstr("; HttpOnly; SameSite=Strict; Max-Age=2592000"));
  EXPECT_EQ(log_in(code).status, 401);
  ASSERT_EQ(tokens_.list().size(), 1U);
  EXPECT_EQ(tokens_.list().front().kind, TokenKind::kBrowser);
  EXPECT_FALSE(tokens_.list().front().scopes.contains(Scope::kAdmin));
}

TEST_F(LoginEndpointTest, AWrongCodeCreatesNothing) {
  EXPECT_EQ(log_in("wrong").status, 401);
  EXPECT_EQ(log_in("").status, 401);
  EXPECT_TRUE(tokens_.empty());
}

TEST_F(LoginEndpointTest, WrongCodesAreCountedAndSlowedDown) {
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(log_in("wrong").status, 401);
  EXPECT_EQ(log_in("wrong").status, 429);
  EXPECT_EQ(refusals_.count_of(AuthRefusal::kWrongCode), 10U);
  EXPECT_EQ(refusals_.count_of(AuthRefusal::kSlowed), 1U);
  EXPECT_EQ(log_in(new_code()).status, 200) << "a valid code is not slowed down";
}

TEST_F(LoginEndpointTest, ALinkGrantsAtMostWhatItsCreatorHas) {
  principal_.credential_id = "1";
  principal_.scopes = {Scope::kRead, Scope::kAdmin};
  principal_.projects = {"web"};
  EXPECT_EQ(send("POST", "/api/login-links", R"({"scopes":["start"]})").status, 400);
  EXPECT_EQ(send("POST", "/api/login-links", R"({"projects":["api"]})").status, 400);
  EXPECT_EQ(send("POST", "/api/login-links", R"({"scopes":["all"]})").status, 400);
}

TEST_F(LoginEndpointTest, NoProjectsMeansThoseOfTheCreator) {
  be({.name = "ann", .scopes = ScopeSet::all(), .projects = {"web"}});
  for (const char* body : {"{}", R"({"projects":[]})"}) {
    EXPECT_EQ(log_in(new_code(body)).status, 200);
    EXPECT_THAT(tokens_.list().back().projects, ElementsAre("web")) << body;
  }
}

TEST_F(LoginEndpointTest, ALoginEndsWithItsCreator) {
  const WallTime soon = wall_now() + std::chrono::hours(1);
  be({.name = "ann", .scopes = ScopeSet::all(), .expires = soon});
  const http::Response made = log_in(new_code());
  EXPECT_THAT(cookie_of(made), AnyOf(HasSubstr("Max-Age=3600"), HasSubstr("Max-Age=35")));
  ASSERT_EQ(tokens_.list().size(), 2U);
  EXPECT_LE(*tokens_.list().back().expires, soon);
  const std::string code = new_code();
  tokens_.revoke("ann").value();
  EXPECT_TRUE(tokens_.empty());
  EXPECT_EQ(log_in(code).status, 401);
}

TEST_F(LoginEndpointTest, LoggingOutRevokesTheLogin) {
  log_in(new_code(R"({"name":"phone","projects":["web"]})"));
  const Token login = tokens_.list().front();
  EXPECT_THAT(login.name, StartsWith("phone-"));
  principal_.credential_id = login.id;
  const http::Response out = send("POST", "/api/logout");
  EXPECT_EQ(out.status, 204);
  EXPECT_THAT(cookie_of(out), HasSubstr("Max-Age=0"));
  EXPECT_TRUE(tokens_.empty());
}

TEST_F(LoginEndpointTest, LoggingOutKeepsTokens) {
  const Token token = tokens_.create({.name = "ci", .scopes = {Scope::kRead}}).value().token;
  principal_.credential_id = token.id;
  EXPECT_EQ(send("POST", "/api/logout").status, 204);
  EXPECT_FALSE(tokens_.empty());
}

TEST_F(LoginEndpointTest, ATicketMayReadOnly) {
  const http::Response made = send("POST", "/api/tickets");
  EXPECT_EQ(made.status, 201);
  const std::string ticket(json_of(made).at("ticket").as_string());
  const auto principal = tickets_.redeem(ticket, wall_now());
  ASSERT_TRUE(principal);
  EXPECT_EQ(principal->scopes, ScopeSet({Scope::kRead}));
}

TEST_F(LoginEndpointTest, ShowsWhoTheClientIs) {
  principal_.name = "ann";
  principal_.scopes = {Scope::kRead};
  const auto me = json_of(send("GET", "/api/me"));
  EXPECT_EQ(me.at("name"), "ann");
  EXPECT_EQ(me.at("scopes").as_array().size(), 1U);
}

}  // namespace
}  // namespace oriel
