// Who may use the server: tokens, from the command line to the stream.

#include "publisher.h"
#include "sse_client.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

class Auth : public testing::Test {
 protected:
  Finished token(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "token");
    arguments.insert(arguments.end(), {"--data-dir", data_.path().string()});
    return run_oriel(arguments);
  }

  // The secret of a new token.
  std::string create(const std::string& name, const std::vector<std::string>& flags = {}) const {
    std::vector<std::string> arguments = {"create", name};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const Finished made = token(arguments);
    EXPECT_EQ(made.exit_code, 0) << made.err;
    EXPECT_THAT(made.out, MatchesRegex("oriel_[A-Za-z0-9_-]+\n"));
    return made.out.substr(0, made.out.find('\n'));
  }

  static Headers bearer(const std::string& secret) {
    return {{"Authorization", "Bearer " + secret}};
  }

  static HttpResponse publish(const ServerProcess& server, Headers headers) {
    headers.emplace_back("Content-Type", "application/json");
    return call(server, {.method = "POST",
                         .target = "/api/events",
                         .headers = std::move(headers),
                         .body = R"({"type":"n"})"});
  }

  static bool is_refused(const ServerProcess& server, const Headers& headers) {
    return get(server, "/api/clients", headers).status == 401;
  }

  std::filesystem::path token_file() const { return data_.path() / "tokens.json"; }

  TempDir data_;
};

TEST_F(Auth, OnceThereIsATokenEveryRequestNeedsOne) {
  const std::string secret = create("ci");
  ServerProcess server({}, data_.path());
  EXPECT_EQ(get(server, "/health").status, 200);
  for (const std::string path : {"/api/events", "/api/events/stream", "/api/clients", "/metrics"}) {
    const HttpResponse response = get(server, path);
    EXPECT_EQ(response.status, 401) << path;
    EXPECT_THAT(response.header("www-authenticate"), StartsWith("Bearer"));
    EXPECT_EQ(response.error_code(), "unauthorized");
  }
  EXPECT_EQ(publish(server, {}).status, 401);
  EXPECT_EQ(get(server, "/api/clients", bearer(secret)).status, 200);
  EXPECT_EQ(get(server, "/metrics", bearer(secret)).status, 200);
  EXPECT_EQ(publish(server, bearer(secret)).status, 201);
}

TEST_F(Auth, WrongTokensAreRefused) {
  const std::string secret = create("ci");
  ServerProcess server({}, data_.path());
  const std::string almost =
      secret.substr(0, secret.size() - 1) + (secret.back() == 'x' ? 'y' : 'x');
  const std::vector<std::string> values = {
      "Bearer " + almost, "Bearer " + secret + "x", "Bearer oriel_", "Bearer",
      "Bearer ",          "Basic " + secret,        secret,          ""};
  for (const std::string& value : values) {
    EXPECT_EQ(get(server, "/api/clients", {{"Authorization", value}}).status, 401) << value;
  }
}

TEST_F(Auth, StreamTakesItsTokenFromTheQueryToo) {
  const std::string secret = create("ci");
  ServerProcess server({}, data_.path());
  SseClient client(server, "/api/events?access_token=" + secret);
  const boost::json::object entry =
      get(server, "/api/clients/" + client.client_id(), bearer(secret)).json();
  EXPECT_EQ(entry.at("principal"), "ci");
  EXPECT_EQ(get(server, "/api/events?access_token=oriel_wrong").status, 401);
  EXPECT_EQ(get(server, "/api/clients?access_token=" + secret).status, 401);
}

TEST_F(Auth, ReadOnlyTokenMayWatchButNotPublish) {
  const std::string reader = create("reader", {"--read-only"});
  ServerProcess server({}, data_.path());
  SseClient client(server, SseRequest{.target = "/api/events", .headers = bearer(reader)});
  EXPECT_EQ(client.hello().event, "hello");
  const HttpResponse refused = publish(server, bearer(reader));
  EXPECT_EQ(refused.status, 403);
  EXPECT_THAT(refused.error(), HasSubstr("only read"));
}

TEST_F(Auth, RevokedTokenLosesItsStream) {
  create("other");
  const std::string secret = create("ci");
  ServerProcess server({}, data_.path());
  SseClient client(server, "/api/events?access_token=" + secret);
  client.hello();
  EXPECT_EQ(token({"revoke", "ci"}).exit_code, 0);
  client.frames_to_end(Milliseconds{5000});
  EXPECT_TRUE(eventually([&] { return is_refused(server, bearer(secret)); }));
  EXPECT_EQ(active_streams(server), 0);
}

TEST_F(Auth, FirstTokenEndsWhatIsOpenWithoutOne) {
  ServerProcess server({}, data_.path());
  SseClient client(server);
  client.hello();
  const std::string secret = create("ci");
  client.frames_to_end(Milliseconds{5000});
  EXPECT_TRUE(eventually([&] { return is_refused(server, {}); }));
  EXPECT_EQ(get(server, "/api/clients", bearer(secret)).status, 200);
}

TEST_F(Auth, ListNamesTokensAndRevokeForgetsThem) {
  const std::string secret = create("ci");
  create("reader", {"--read-only"});
  const Finished list = token({"list"});
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_THAT(list.out, HasSubstr("ci"));
  EXPECT_THAT(list.out, HasSubstr("reader"));
  EXPECT_THAT(list.out, Not(HasSubstr(secret.substr(6))));
  EXPECT_EQ(token({"revoke", "reader"}).exit_code, 0);
  EXPECT_THAT(token({"list"}).out, Not(HasSubstr("reader")));
  const Finished again = token({"revoke", "reader"});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.err, HasSubstr("reader"));
}

TEST_F(Auth, OnlyTheHashIsKept) {
  const std::string secret = create("ci");
  const std::string kept = read_file(token_file());
  EXPECT_THAT(kept, HasSubstr("ci"));
  EXPECT_THAT(kept, Not(HasSubstr(secret.substr(6))));
  const auto mode = std::filesystem::status(token_file()).permissions();
  EXPECT_EQ(mode, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(Auth, WithoutATokenOnlyLoopbackMayBeListenedOn) {
  for (const std::string listen : {"0.0.0.0:0", "[::]:0"}) {
    const Finished refused =
        run_oriel({"serve", "--listen", listen, "--data-dir", data_.path().string()});
    EXPECT_EQ(refused.exit_code, 2) << listen;
    EXPECT_THAT(refused.err, HasSubstr("oriel token create")) << listen;
    EXPECT_EQ(refused.out, "") << listen;
  }
}

TEST_F(Auth, RevokingTheLastTokenDoesNotOpenAServerBeyondLoopback) {
  const std::string secret = create("ci");
  ServerProcess server({"--listen", "0.0.0.0:0"}, data_.path());
  EXPECT_EQ(get(server, "/api/clients", bearer(secret)).status, 200);
  SseClient client(server, "/api/events?access_token=" + secret);
  client.hello();
  EXPECT_EQ(token({"revoke", "ci"}).exit_code, 0);
  client.frames_to_end(Milliseconds{5000});
  EXPECT_TRUE(is_refused(server, {}));
  EXPECT_TRUE(is_refused(server, bearer(secret)));
}

TEST_F(Auth, BrokenTokenFileStopsTheStart) {
  write_file(token_file(), "{");
  const Finished refused =
      run_oriel({"serve", "--listen", "127.0.0.1:0", "--data-dir", data_.path().string()});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("tokens.json"));
}

TEST_F(Auth, BrokenTokenFileWhileServingOpensNothing) {
  const std::string secret = create("ci");
  ServerProcess server({}, data_.path());
  write_file(token_file(), "{");
  EXPECT_TRUE(eventually([&] { return server.log().find("tokens.json") != std::string::npos; }));
  EXPECT_TRUE(is_refused(server, {}));
  EXPECT_EQ(get(server, "/api/clients", bearer(secret)).status, 200);
}

TEST_F(Auth, CommandsSendTheirToken) {
  const std::string secret = create("ci");
  ServerProcess server({}, data_.path());
  const Finished refused = run_oriel({"publish", "n", "--url", server.url()});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("token"));
  EXPECT_EQ(run_oriel({"publish", "n", "--url", server.url(), "--token", secret}).exit_code, 0);
  Command watch =
      oriel_command({"watch", "--url", server.url(), "--since", "start", "--count", "1"});
  watch.environment = {{"ORIEL_TOKEN", secret}};
  const Finished watched = run(watch);
  EXPECT_EQ(watched.exit_code, 0) << watched.err;
  EXPECT_THAT(watched.out, HasSubstr("\"event\":\"n\""));
}

}  // namespace
}  // namespace oriel
