#include "auth/authenticator.h"

#include "base/temp_directory_testing.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::Pair;

constexpr std::uint32_t kServerUser = 1000;
constexpr std::uint32_t kOtherUser = 1001;

class AuthenticatorTest : public testing::Test {
 protected:
  std::string new_secret(ScopeSet scopes, TokenKind kind = TokenKind::kBearer) {
    TokenSpec spec{.name = "t" + std::to_string(++count_), .kind = kind, .scopes = scopes};
    spec.expires = now_ + 1h;
    return tokens_.create(std::move(spec)).value().secret;
  }

  static http::Route route(std::optional<Scope> scope) {
    http::Route made;
    made.scope = scope;
    return made;
  }

  // A request of the server's own user over loopback, as curl sends it.
  static http::Request local_request() {
    http::Request request;
    request.method = "GET";
    request.headers = {{"host", "localhost:7433"}};
    request.peer = "127.0.0.1:50412";
    request.peer_user = kServerUser;
    return request;
  }

  static http::Request with(const std::string& name, const std::string& value) {
    http::Request request = local_request();
    request.headers.emplace_back(name, value);
    return request;
  }

  static http::Request with_bearer(const std::string& secret) {
    return with("authorization", "Bearer " + secret);
  }

  Authenticator make(AuthOptions options = {}) {
    return Authenticator(tokens_, uses_, tickets_, refusals_, std::move(options), kServerUser,
                         [this] { return now_; });
  }

  // 200, or the status of the refusal.
  int status(http::Request request, std::optional<Scope> scope = Scope::kRead) {
    return status(make(), std::move(request), scope);
  }

  int status(const Authenticator& authenticator, http::Request request,
             std::optional<Scope> scope = Scope::kRead) {
    const http::Route made = route(scope);
    const auto refused = authenticator.check(&made, request);
    principal_ = request.principal;
    return refused ? refused->status : 200;
  }

  TempDirectory directory_;
  TokenStore tokens_{directory_.path() / "tokens.json"};
  TokenUses uses_{directory_.path() / kTokenUseFile};
  OneTimeCodes tickets_{{}};
  AuthRefusals refusals_;
  WallTime now_{std::chrono::hours(24)};
  Principal principal_;  // of the last request
  int count_ = 0;
};

TEST_F(AuthenticatorTest, TheUseOfACredentialIsRecordedAlsoWithoutItsScope) {
  const std::string secret = new_secret({Scope::kRead});
  const std::string id = tokens_.list().front().id;
  EXPECT_EQ(status(with_bearer(secret + "x")), 401);
  EXPECT_EQ(uses_.last(id), std::nullopt);
  EXPECT_EQ(status(with_bearer(secret)), 200);
  EXPECT_EQ(uses_.last(id), now_);
  now_ += 1min;
  EXPECT_EQ(status(with_bearer(secret), Scope::kAdmin), 403);
  EXPECT_EQ(uses_.last(id), now_);
}

TEST_F(AuthenticatorTest, TheOperatorHasNoCredentialToRecord) {
  EXPECT_EQ(status(local_request()), 200);
  EXPECT_EQ(uses_.last(""), std::nullopt);
}

TEST_F(AuthenticatorTest, TheServersOwnUserIsLocalAndMayDoEverything) {
  EXPECT_EQ(status(local_request(), Scope::kAdmin), 200);
  EXPECT_EQ(principal_.name, "local");
  EXPECT_EQ(principal_.scopes, ScopeSet::all());
  new_secret({Scope::kRead});
  EXPECT_EQ(status(local_request(), Scope::kStart), 200);
}

TEST_F(AuthenticatorTest, AnybodyElseIsNobody) {
  http::Request request = local_request();
  request.peer_user = kOtherUser;
  EXPECT_EQ(status(request), 401);
  request.peer_user = std::nullopt;
  EXPECT_EQ(status(request), 401);
}

TEST_F(AuthenticatorTest, AProxyIsNeverLocal) {
  for (const char* name :
       {"x-forwarded-for", "x-forwarded-proto", "forwarded", "via", "x-real-ip", "cf-connecting-ip",
        "true-client-ip", "x-client-ip", "fly-client-ip", "x-original-for"})
    EXPECT_EQ(status(with(name, "1.2.3.4")), 401) << name;
}

TEST_F(AuthenticatorTest, OnlyTheUsualAddressesOfLoopbackAreLocal) {
  http::Request request = local_request();
  for (const char* peer : {"127.0.0.1:1", "[::1]:1", "[::ffff:127.0.0.1]:1"}) {
    request.peer = peer;
    EXPECT_EQ(status(request), 200) << peer;
  }
  for (const char* peer : {"127.0.0.2:1", "[::ffff:127.0.0.2]:1", "127.0.0.10:1", "192.0.2.1:1"}) {
    request.peer = peer;
    EXPECT_EQ(status(request), 401) << peer;
  }
}

using R_SANDBOX_2 = AuthenticatorTest;

TEST_F(R_SANDBOX_2, TheTokenOfASessionReadsAndDoesNothingElse) {
  const std::string secret = tokens_.session_tokens().issue("ses_1");
  http::Request request = with_bearer(secret);
  request.peer = "127.0.0.2:50412";
  EXPECT_EQ(status(request, Scope::kRead), 200);
  EXPECT_EQ(principal_.session_id, "ses_1");
  for (const Scope scope :
       {Scope::kAnswer, Scope::kStart, Scope::kPublish, Scope::kHooks, Scope::kAdmin})
    EXPECT_EQ(status(request, scope), 403) << name_of(scope);
  tokens_.session_tokens().revoke("ses_1");
  EXPECT_EQ(status(request, Scope::kRead), 401);
}

TEST_F(R_SANDBOX_2, ATicketOfASessionIsLimitedToItAndEndsWithItsToken) {
  const std::string secret = tokens_.session_tokens().issue("ses_1");
  EXPECT_EQ(status(with_bearer(secret)), 200);
  http::Route stream = route(Scope::kRead);
  stream.takes_ticket = true;
  const auto redeem = [&](const std::string& ticket) {
    http::Request request = local_request();
    request.query = {{"ticket", ticket}};
    const auto refused = make().check(&stream, request);
    principal_ = request.principal;
    return refused ? refused->status : 200;
  };
  const Principal agent = principal_;
  EXPECT_EQ(redeem(tickets_.issue(agent, now_).value()), 200);
  EXPECT_EQ(principal_.session_id, "ses_1");
  const std::string late = tickets_.issue(agent, now_).value();
  tokens_.session_tokens().revoke("ses_1");
  EXPECT_EQ(redeem(late), 401);
}

TEST_F(AuthenticatorTest, ThePublicHostIsNeverLocal) {
  const Authenticator authenticator = make({.origins = {.public_url = "https://oriel.example"}});
  http::Request request = local_request();
  EXPECT_EQ(status(authenticator, request), 200);
  request.headers = {{"host", "oriel.example"}};
  EXPECT_EQ(status(authenticator, request), 401);
}

TEST_F(AuthenticatorTest, WithoutLocalTrustEverybodyNeedsACredential) {
  const Authenticator authenticator = make({.local_trust = LocalTrust::kNone});
  EXPECT_EQ(status(authenticator, local_request()), 401);
  EXPECT_EQ(status(authenticator, with_bearer(new_secret({Scope::kRead}))), 200);
}

TEST_F(AuthenticatorTest, AnOpenRouteNeedsNoCredential) {
  http::Request request = local_request();
  request.peer_user = std::nullopt;
  EXPECT_EQ(status(request, http::kOpen), 200);
}

TEST_F(AuthenticatorTest, ATokenMayDoWhatItsScopesSay) {
  const std::string secret = new_secret({Scope::kRead, Scope::kAnswer});
  EXPECT_EQ(status(with_bearer(secret), Scope::kRead), 200);
  EXPECT_EQ(principal_.name, "t1");
  EXPECT_EQ(status(with_bearer(secret), Scope::kAnswer), 200);
  EXPECT_EQ(status(with_bearer(secret), Scope::kStart), 403);
  EXPECT_EQ(status(with_bearer(secret), Scope::kAdmin), 403);
}

using R_AUTH_6_Scope = AuthenticatorTest;

TEST_F(R_AUTH_6_Scope, AMissingScopeIsReportedWithItsSender) {
  std::vector<std::string> reported;
  const Authenticator authenticator =
      make({.on_missing_scope = [&](const http::Route&, const http::Request& request) {
        reported.push_back(request.principal.name + " " + request.principal.address);
      }});
  const std::string secret = new_secret({Scope::kRead});
  EXPECT_EQ(status(authenticator, with_bearer(secret), Scope::kRead), 200);
  EXPECT_EQ(status(authenticator, with_bearer(secret), Scope::kStart), 403);
  EXPECT_EQ(reported, std::vector<std::string>{"t1 127.0.0.1"});
}

TEST_F(AuthenticatorTest, AnExpiredTokenIsRefused) {
  const std::string secret = new_secret({Scope::kRead});
  now_ += 59min;
  EXPECT_EQ(status(with_bearer(secret)), 200);
  now_ += 1min;
  EXPECT_EQ(status(with_bearer(secret)), 401);
}

TEST_F(AuthenticatorTest, AWrongTokenIsRefusedAlsoFromTheServersOwnUser) {
  EXPECT_EQ(status(with_bearer("oriel_wrong")), 401);
  EXPECT_EQ(status(with("authorization", "Basic abc")), 401);
  EXPECT_EQ(status(with("authorization", "Bearer")), 401);
  EXPECT_EQ(status(with("authorization", "")), 401);
}

TEST_F(AuthenticatorTest, TooManyWrongTokensMakeTheirSenderWait) {
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(status(with_bearer("oriel_wrong")), 401);
  EXPECT_EQ(status(with_bearer("oriel_wrong")), 429);
  EXPECT_EQ(status(local_request()), 200);
  http::Request other = with_bearer("oriel_wrong");
  other.peer_user = kOtherUser;
  EXPECT_EQ(status(other), 401) << "another user has attempts of its own";
}

TEST_F(AuthenticatorTest, AValidCredentialIsNeverSlowedDown) {
  const std::string secret = new_secret({Scope::kRead});
  for (int i = 0; i < 20; ++i)
    status(with_bearer("oriel_wrong"));
  EXPECT_EQ(status(with_bearer(secret)), 200);
  EXPECT_EQ(status(with_bearer("oriel_wrong")), 429);
}

TEST_F(AuthenticatorTest, WrongCookiesMakeTheirSenderWait) {
  const Authenticator authenticator = make({.local_trust = LocalTrust::kNone});
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(status(authenticator, with("cookie", "oriel_login=wrong")), 401);
  EXPECT_EQ(status(authenticator, with("cookie", "oriel_login=wrong")), 429);
  EXPECT_EQ(status(authenticator, with("cookie", "theme=dark")), 401);
}

TEST_F(AuthenticatorTest, EveryRefusalIsCounted) {
  const std::string secret = new_secret({Scope::kRead});
  http::Request nobody = local_request();
  nobody.peer_user = kOtherUser;
  status(nobody);
  status(with_bearer("oriel_wrong"));
  status(with_bearer(secret), Scope::kAdmin);
  status(with("origin", "https://evil.example"));
  http::Request foreign_host = local_request();
  foreign_host.headers[0].second = "evil.example";
  status(foreign_host);
  http::Request stale = with("cookie", "oriel_login=wrong");
  stale.peer_user = kOtherUser;
  status(stale);
  http::Route tickets = route(Scope::kRead);
  tickets.takes_ticket = true;
  http::Request ticket = local_request();
  ticket.query = {{"ticket", "wrong"}};
  make().check(&tickets, ticket);
  for (const AuthRefusal reason : {AuthRefusal::kMissingCredential, AuthRefusal::kWrongToken,
                                   AuthRefusal::kScope, AuthRefusal::kOrigin, AuthRefusal::kHost,
                                   AuthRefusal::kWrongCookie, AuthRefusal::kWrongTicket})
    EXPECT_EQ(refusals_.count_of(reason), 1U) << name_of(reason);
}

TEST_F(AuthenticatorTest, TheUseOfAnAgentsTokenIsNotKept) {
  const std::string secret = tokens_.session_tokens().issue("ses_1");
  EXPECT_EQ(status(with_bearer(secret)), 200);
  EXPECT_EQ(uses_.last(principal_.credential_id), std::nullopt);
}

TEST_F(AuthenticatorTest, ABrowserLoginWorksAsACookieOnly) {
  const std::string login = new_secret({Scope::kRead}, TokenKind::kBrowser);
  const std::string token = new_secret({Scope::kRead});
  const Authenticator authenticator = make({.local_trust = LocalTrust::kNone});
  EXPECT_EQ(status(authenticator, with("cookie", "a=b; oriel_login=" + login)), 200);
  EXPECT_EQ(principal_.name, "t1");
  EXPECT_EQ(status(authenticator, with("cookie", "oriel_login=" + token)), 401);
  EXPECT_EQ(status(authenticator, with("cookie", "xoriel_login=" + login)), 401);
  EXPECT_EQ(status(authenticator, with_bearer(login)), 401);
}

TEST_F(AuthenticatorTest, AnOldCookieDoesNotLockTheOperatorOut) {
  EXPECT_EQ(status(with("cookie", "oriel_login=old")), 200);
  EXPECT_EQ(principal_.name, "local");
}

TEST_F(AuthenticatorTest, ATicketOpensOnceWhatItsRouteAllows) {
  const std::string secret = new_secret({Scope::kRead});
  const Principal owner = tokens_.authenticate(TokenKind::kBearer, secret, now_).value();
  const Authenticator authenticator = make({.local_trust = LocalTrust::kNone});
  http::Route stream = route(Scope::kRead);
  stream.takes_ticket = true;
  const auto ask = [&](const http::Route& asked, const std::string& ticket) {
    http::Request request = local_request();
    request.query = {{"types", "a"}, {"ticket", ticket}};
    const auto refused = authenticator.check(&asked, request);
    EXPECT_TRUE(refused || request.query.size() == 1U);
    return refused ? refused->status : 200;
  };
  const std::string ticket = tickets_.issue(owner, now_).value();
  EXPECT_EQ(ask(route(Scope::kRead), ticket), 401);
  EXPECT_EQ(ask(stream, ticket), 200);
  EXPECT_EQ(ask(stream, ticket), 401);
  const std::string second = tickets_.issue(owner, now_).value();
  ASSERT_TRUE(tokens_.revoke("t1"));
  EXPECT_EQ(ask(stream, second), 401);
}

TEST_F(AuthenticatorTest, AnAllowedOriginNeedsAToken) {
  const Authenticator authenticator =
      make({.origins = {.allowed_origins = {"https://app.example"}}});
  EXPECT_EQ(status(authenticator, with("origin", "https://app.example")), 401);
  http::Request request = with_bearer(new_secret({Scope::kRead}));
  request.headers.emplace_back("origin", "https://app.example");
  EXPECT_EQ(status(authenticator, request), 200);
  EXPECT_THAT(authenticator.response_headers(request),
              Contains(Pair("Access-Control-Allow-Origin", "https://app.example")));
  request.headers.back().second = "https://evil.example";
  EXPECT_EQ(status(authenticator, request), 403);
  EXPECT_TRUE(authenticator.response_headers(request).empty());
}

TEST_F(AuthenticatorTest, APreflightIsAnsweredForAllowedOriginsOnly) {
  const Authenticator authenticator =
      make({.origins = {.allowed_origins = {"https://app.example"}}});
  http::Request request = with("origin", "https://app.example");
  request.method = "OPTIONS";
  request.headers.emplace_back("access-control-request-method", "POST");
  request.headers.emplace_back("access-control-request-headers", "authorization");
  EXPECT_EQ(authenticator.check(nullptr, request)->status, 204);
  EXPECT_THAT(authenticator.response_headers(request),
              Contains(Pair("Access-Control-Allow-Headers", "authorization")));
  request.headers[1].second = "https://evil.example";
  EXPECT_EQ(authenticator.check(nullptr, request)->status, 403);
}

TEST_F(AuthenticatorTest, AMissingHostIsBadAndAForeignOneForbidden) {
  EXPECT_EQ(status(http::Request{}), 400);
  http::Request request = local_request();
  request.headers = {{"host", "evil.example"}};
  EXPECT_EQ(status(request), 403);
}

}  // namespace
}  // namespace oriel
