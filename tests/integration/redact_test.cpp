// R-TRUTH-3: secrets are masked before they are stored.

#include "hosted_fixture.h"
#include "session_client.h"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const std::string kPassword = "swordfish-42-and-more";
const std::string kToken = std::string("ghp") + "_abcdefghijklmnopqrstuvwxyz0123456789";
const std::string kEnv = "env = { DEPLOY_PASSWORD = \"" + kPassword + "\" }\n";

fs::path workspace_of(const HostedFixture& fixture) {
  return std::string(fixture.request().at("workspace").as_string());
}

std::string events_of(HostedFixture& fixture, const SessionClient& session) {
  return get(fixture.server(), "/api/sessions/" + session.id() + "/events?limit=1000").body;
}

// An agent that reads secrets, receives one in a message, and writes it.
void work_with_secrets(HostedFixture& fixture, SessionClient& session) {
  write_file(workspace_of(fixture) / "conf.txt",
             "password=" + kPassword + "\ntoken=" + kToken + "\n");
  session.task("read conf.txt");
  session.send("write note.txt: it is " + kPassword);
  session.until_asked();
  session.decide("allow");
  session.until_rest();
  EXPECT_THAT(read_file(workspace_of(fixture) / "note.txt"), HasSubstr(kPassword))
      << "the agent gets what people say";
}

void expect_none_stored(const fs::path& data, const std::string& secret) {
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(data)) {
    if (!entry.is_regular_file()) continue;
    EXPECT_EQ(read_file(entry.path()).find(secret), std::string::npos) << entry.path();
  }
}

TEST(R_TRUTH_3, NoSecretOfAnAgentIsStoredOrShown) {
  HostedFixture fixture({}, kEnv);
  SessionClient session(fixture.server(), fixture.request());
  work_with_secrets(fixture, session);
  const std::string events = events_of(fixture, session);
  EXPECT_THAT(events, HasSubstr("[redacted:DEPLOY_PASSWORD]"));
  EXPECT_THAT(events, HasSubstr("[redacted:github-token]"));
  EXPECT_THAT(events, Not(HasSubstr(kPassword)));
  EXPECT_THAT(events, Not(HasSubstr(kToken)));
  for (const boost::json::object& turn : fixture.turns(session.id()))
    EXPECT_THAT(boost::json::serialize(turn), Not(HasSubstr(kPassword)));
  expect_none_stored(fixture.data(), kPassword);
  expect_none_stored(fixture.data(), kToken);
}

TEST(R_TRUTH_3, TheTitleFromTheFirstMessageHasNoSecretNorTheBeginningOfOne) {
  HostedFixture fixture({}, kEnv);
  SessionClient session(fixture.server(), fixture.request());
  session.task("the token, which this title would cut in its middle, is now at last " + kToken);
  const std::string title(session.state().at("title").as_string());
  EXPECT_THAT(title, HasSubstr("at last [redacted"));
  EXPECT_THAT(title, Not(HasSubstr("ghp_")));
}

// An ACP agent that asks with a diff, a secret in a key, and an option that lasts.
constexpr const char* kAsker = R"sh(
answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$(printf %s "$1" | sed 's/.*"id":\([0-9]*\).*/\1/')" "$2"; }
while read -r line; do
  case $line in
    *'"initialize"'*) answer "$line" '{"protocolVersion":1}' ;;
    *'"session/new"'*) answer "$line" '{"sessionId":"s1"}' ;;
    *'"session/prompt"'*) cat "$ASK" ;;
  esac
done
)sh";

TEST(R_TRUTH_3, NoSecretInWhatAPermissionShowsIsStoredOrShown) {
  TempDir dir;
  write_file(dir.path() / "asker.sh", kAsker);
  write_file(dir.path() / "ask.json",
             R"({"jsonrpc":"2.0","id":99,"method":"session/request_permission","params":{)"
             R"("sessionId":"s1","toolCall":{"toolCallId":"t","title":"edit","kind":"edit",)"
             R"("content":[{"type":"diff","path":"a","newText":")" +
                 kPassword + R"("}],"rawInput":{")" + kPassword +
                 R"(":1}},"options":[{"optionId":"a","name":"Always )" + kPassword +
                 R"(","kind":"allow_always"},{"optionId":"r","name":"No","kind":"reject_once"}]}})"
                 "\n");
  HostedFixture fixture({}, "[agents.asker]\ncommand = [\"sh\", \"" +
                                (dir.path() / "asker.sh").string() + "\"]\nenv = { ASK = \"" +
                                (dir.path() / "ask.json").string() + "\", DEPLOY_PASSWORD = \"" +
                                kPassword + "\" }\n");
  boost::json::object request = fixture.request();
  request["agent"] = "asker";
  SessionClient session(fixture.server(), request);
  session.send("edit");
  session.until_asked();
  const std::string shown =
      events_of(fixture, session) + get(fixture.server(), "/api/sessions/" + session.id()).body;
  EXPECT_THAT(shown, HasSubstr("newText"));
  EXPECT_THAT(shown, HasSubstr("as the agent understands"));
  EXPECT_THAT(shown, HasSubstr("[redacted:DEPLOY_PASSWORD]"));
  EXPECT_THAT(shown, Not(HasSubstr(kPassword)));
  expect_none_stored(fixture.data(), kPassword);
}

TEST(R_TRUTH_3, AnAgentCanBeExempted) {
  HostedFixture fixture({}, kEnv + "redact = false\n");
  SessionClient session(fixture.server(), fixture.request());
  work_with_secrets(fixture, session);
  EXPECT_THAT(events_of(fixture, session), HasSubstr(kPassword));
}

TEST(R_TRUTH_3, PatternsOfTheOperatorAreMasked) {
  HostedFixture fixture({}, "[redact]\npatterns = { corp = \"corp-[0-9a-f]{8}\" }\n");
  SessionClient session(fixture.server(), fixture.request());
  session.task("hello corp-0123abcd");
  EXPECT_THAT(events_of(fixture, session), HasSubstr("hello [redacted:corp]"));
}

}  // namespace
}  // namespace oriel
