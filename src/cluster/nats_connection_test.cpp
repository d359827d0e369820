#include "cluster/nats_connection.h"

#include "base/mutex.h"
#include "cluster/nats_server_testing.h"
#include "cluster/nkey.h"

#include <gmock/gmock.h>

#include <atomic>
#include <vector>

namespace oriel {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;

// Keys and claims of an operator, an account and a user that exist nowhere else.
constexpr const char* kSeed = "SUACF7EWIXD5WK3CXVN2MOTJC6LNRIJBKJ2Y42ZOPOJY2QHTN35DFBWEQU";
constexpr const char* kKey = "UBFEQ2IW4OKAZF2XPQBFCLTJ3EA3YN7C6KK6O574M4MOMTLVVWX2D2OK";
constexpr const char* kAccount = "AB76HOIVUFKFFW7UHUV7VK7UVV2P6UWZRXFEXY7SRJT3OFIS7XUDPICF";
constexpr const char* kOperatorClaims =
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.eyJzdWIiOiJPQldHTUtPTkVKSjVHQjZaWlZOVURGT"
    "k40WUNFNVZKSzI0UVBTSUhSSUZXU0dGWjdaUVNSQUFVRCIsIm5hbWUiOiJvIiwibmF0cyI6eyJ0eXBlIjoib3Blc"
    "mF0b3IiLCJ2ZXJzaW9uIjoyfSwiaXNzIjoiT0JXR01LT05FSko1R0I2WlpWTlVERk5ONFlDRTVWSksyNFFQU0lIU"
    "klGV1NHRlo3WlFTUkFBVUQiLCJpYXQiOjE3MDAwMDAwMDAsImp0aSI6IlRPTENCVlFXU0xMUVM3SDc0SUZSSUNSV"
    "ERXRlZTU0ozU0REVjRSS1JCRVc2Tlc0UTc3UkEifQ.t5Io6DjOSrQ2FGGGf--AOkVdMsV5z7xJCavBoopELcn5iD"
    "Pt_CUCvmnwns_Xt2Cbxorltt_U7hV1y9YsFKbsBg";
constexpr const char* kAccountClaims =
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.eyJzdWIiOiJBQjc2SE9JVlVGS0ZGVzdVSFVWN1ZLN"
    "1VWVjJQNlVXWlJYRkVYWTdTUkpUM09GSVM3WFVEUElDRiIsIm5hbWUiOiJhIiwibmF0cyI6eyJsaW1pdHMiOnsic"
    "3VicyI6LTEsImRhdGEiOi0xLCJwYXlsb2FkIjotMSwiaW1wb3J0cyI6LTEsImV4cG9ydHMiOi0xLCJ3aWxkY2FyZ"
    "HMiOnRydWUsImNvbm4iOi0xLCJsZWFmIjotMX0sImRlZmF1bHRfcGVybWlzc2lvbnMiOnsicHViIjp7fSwic3ViI"
    "jp7fX0sInR5cGUiOiJhY2NvdW50IiwidmVyc2lvbiI6Mn0sImlzcyI6Ik9CV0dNS09ORUpKNUdCNlpaVk5VREZOT"
    "jRZQ0U1VkpLMjRRUFNJSFJJRldTR0ZaN1pRU1JBQVVEIiwiaWF0IjoxNzAwMDAwMDAwLCJqdGkiOiJNUFdENE5CR"
    "UsyVTJHWEcyT1Y2UTZQWkNFU0pOWFVMTEVDNTZKVlFYN1dKSTJNRVQ3NE9RIn0.0Usmk-d2QdEy6U-yZobkKUFmK"
    "0ho8ipaxBsm4c9ZOmbEubyx11g_UUdRxxx8JGzEkjA0i_79Va_s0HMWIGyjDA";
constexpr const char* kUserClaims =
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.eyJzdWIiOiJVQkZFUTJJVzRPS0FaRjJYUFFCRkNMV"
    "EozRUEzWU43QzZLSzZPNTc0TTRNT01UTFZWV1gyRDJPSyIsIm5hbWUiOiJ1IiwibmF0cyI6eyJwdWIiOnt9LCJzd"
    "WIiOnt9LCJzdWJzIjotMSwiZGF0YSI6LTEsInBheWxvYWQiOi0xLCJ0eXBlIjoidXNlciIsInZlcnNpb24iOjJ9L"
    "CJpc3MiOiJBQjc2SE9JVlVGS0ZGVzdVSFVWN1ZLN1VWVjJQNlVXWlJYRkVYWTdTUkpUM09GSVM3WFVEUElDRiIsI"
    "mlhdCI6MTcwMDAwMDAwMCwianRpIjoiNUs3TVRGM0xUVE41VEpIQkQ3UUVRV05BU0pCSzNTQVZBVFFLVTc0TjJXM"
    "0Y2NkRORDMyQSJ9.Bvcxph2-zf7FfcySZYMSCyoVOVkP_jaJE965fIwC3pN6-rxIToKd59UnuiWkqNP-ohIFWzyx"
    "zpUnxS4T7fZtDw";

// What a subscription has received.
class Received {
 public:
  NatsConnection::Handler handler() {
    return [this](NatsMessage message) {
      const MutexLock lock(mutex_);
      messages_.push_back(std::move(message));
    };
  }

  bool reaches(std::size_t count) {
    return happens([&] { return messages().size() >= count; });
  }

  std::vector<NatsMessage> messages() {
    const MutexLock lock(mutex_);
    return messages_;
  }

 private:
  Mutex mutex_;
  std::vector<NatsMessage> messages_;
};

NatsOptions secured(const NatsServer& server, const std::filesystem::path& ca,
                    const std::string& user = {}) {
  return {.servers = {server.url(user, "tls")}, .ca = ca};
}

// A self-signed certificate of this machine. Returns the lines of nats-server's configuration.
std::string make_certificate(const TempDirectory& directory, const std::string& name) {
  const std::string base = (directory / name).string();
  const std::string command =
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=" +
      name + " -addext subjectAltName=IP:127.0.0.1 -keyout " + base + ".key -out " + base +
      ".pem 2>/dev/null";
  if (std::system(command.c_str()) != 0) throw std::runtime_error("openssl failed");
  return "tls { cert_file: \"" + base + ".pem\", key_file: \"" + base + ".key\" }\n";
}

TEST(NatsConnectionTest, DeliversToSubscribersInOrder) {
  const NatsServer server;
  Received received;
  NatsConnection connection(server.options(), 10s);
  ASSERT_TRUE(connection.is_connected());
  connection.subscribe("a.*", received.handler(), 1 << 20);
  for (int i = 0; i < 100; ++i)
    ASSERT_TRUE(connection.publish("a.b", std::to_string(i), "answer"));
  ASSERT_TRUE(received.reaches(100));
  const auto messages = received.messages();
  for (std::size_t i = 0; i < 100; ++i)
    EXPECT_EQ(messages[i].body, std::to_string(i));
  EXPECT_EQ(messages[0].subject, "a.b");
  EXPECT_EQ(messages[0].reply, "answer");
}

TEST(NatsConnectionTest, ARequestIsAnswered) {
  const NatsServer server;
  NatsConnection connection(server.options(), 10s);
  connection.subscribe(
      "double", [&](const NatsMessage& m) { connection.publish(m.reply, m.body + m.body); },
      1 << 20);
  const auto answer = connection.request("double", "ab", 10s);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->body, "abab");
}

TEST(NatsConnectionTest, ARequestThatNobodyHandlesFailsAtOnce) {
  const NatsServer server;
  NatsConnection connection(server.options(), 10s);
  const auto answer = connection.request("nobody", "", 60s);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, ErrorKind::kNodeUnreachable);
}

TEST(NatsConnectionTest, APublishedMessageThatNobodyHandlesIsReportedToItsReplySubject) {
  const NatsServer server;
  Received received;
  NatsConnection connection(server.options(), 10s);
  const std::string inbox = NatsConnection::new_inbox();
  connection.subscribe(inbox, received.handler(), 1 << 20);
  ASSERT_TRUE(connection.publish("nobody", "x", inbox));
  ASSERT_TRUE(received.reaches(1));
  EXPECT_TRUE(received.messages()[0].is_no_responders);
}

TEST(NatsConnectionTest, AMessageBeyondTheLimitOfTheServerIsNotSent) {
  const NatsServer server("max_payload: 1000\n");
  NatsConnection connection(server.options(), 10s);
  EXPECT_EQ(connection.max_payload(), 1000);
  EXPECT_FALSE(connection.publish("a", std::string(1001, 'x')));
  EXPECT_TRUE(connection.publish("a", std::string(1000, 'x')));
}

TEST(R_CLUSTER_7, AConnectionWaitsForAServerThatStartsLater) {
  NatsServer server("", {.is_started = false});
  Received received;
  std::atomic<int> connected = 0;
  NatsConnection connection(server.options(), 0ms);
  connection.on_connected([&] { ++connected; });
  connection.subscribe("a", received.handler(), 1 << 20);
  EXPECT_FALSE(connection.is_connected());
  EXPECT_FALSE(connection.publish("a", "lost"));
  EXPECT_TRUE(connection.problem());
  server.start();
  ASSERT_TRUE(connection.wait_connected(30s));
  EXPECT_TRUE(happens([&] { return connected == 1; }));
  EXPECT_FALSE(connection.problem());
  ASSERT_TRUE(connection.publish("a", "x"));
  ASSERT_TRUE(received.reaches(1));
  EXPECT_EQ(received.messages()[0].body, "x");
}

TEST(R_CLUSTER_7, AConnectionReturnsAfterTheServerWasKilledWithItsSubscriptions) {
  NatsServer server;
  Received received;
  std::atomic<int> connected = 0;
  NatsConnection connection(server.options(), 10s);
  connection.on_connected([&] { ++connected; });
  connection.subscribe("a", received.handler(), 1 << 20);
  for (int life = 1; life <= 3; ++life) {
    server.kill();
    ASSERT_TRUE(happens([&] { return !connection.is_connected(); }));
    EXPECT_FALSE(connection.publish("a", "lost"));
    server.start();
    ASSERT_TRUE(happens([&] { return connected == life; }));
    ASSERT_TRUE(connection.publish("a", std::to_string(life)));
    ASSERT_TRUE(received.reaches(static_cast<std::size_t>(life)));
    EXPECT_EQ(received.messages().back().body, std::to_string(life));
  }
}

TEST(R_CLUSTER_7, AFrozenServerIsLeftAndFoundAgain) {
  const NatsServer server;
  NatsConnection connection(server.options(), 10s);
  server.freeze();
  ASSERT_TRUE(happens([&] { return !connection.is_connected(); }));
  EXPECT_THAT(connection.problem().value_or(""), HasSubstr("not connected"));
  server.thaw();
  ASSERT_TRUE(connection.wait_connected(30s));
  EXPECT_TRUE(connection.publish("a", "x"));
}

TEST(R_CLUSTER_7, PublishingToAFrozenServerEndsAndNothingIsCutShort) {
  const NatsServer server;
  Received received;
  NatsConnection reader(server.options(), 10s);
  NatsConnection writer(server.options(), 10s);
  reader.subscribe("a", received.handler(), 256 << 20);
  server.freeze();
  // More than the kernel takes for a process that does not read.
  const std::string large(900'000, 'x');
  for (int i = 0; i < 100 && writer.publish("a", large); ++i) {
  }
  EXPECT_FALSE(writer.publish("a", large));
  server.thaw();
  ASSERT_TRUE(writer.wait_connected(30s));
  ASSERT_TRUE(reader.wait_connected(30s));
  ASSERT_TRUE(happens([&] {
    writer.publish("a", "end");
    const auto messages = received.messages();
    return !messages.empty() && messages.back().body == "end";
  }));
  for (const NatsMessage& message : received.messages())
    EXPECT_TRUE(message.body == large || message.body == "end") << message.body.size();
}

TEST(NatsConnectionTest, EndsWhileMessagesArrive) {
  const NatsServer server;
  NatsConnection writer(server.options(), 10s);
  std::atomic<bool> ends = false;
  std::thread traffic([&] {
    while (!ends)
      writer.publish("a", "x");
  });
  for (int i = 0; i < 20; ++i) {
    std::atomic<int> received = 0;
    {
      NatsConnection reader(server.options(), 10s);
      reader.subscribe(
          "a", [&](const NatsMessage&) { ++received; }, 1 << 20);
      ASSERT_TRUE(happens([&] { return received > 0; }));
    }
    const int at_the_end = received;
    std::this_thread::sleep_for(1ms);
    EXPECT_EQ(received, at_the_end);
  }
  ends = true;
  traffic.join();
}

TEST(NatsConnectionTest, TellsTheVersionOfTheServer) {
  const NatsServer server;
  NatsConnection connection(server.options(), 10s);
  EXPECT_THAT(connection.server_version(), StartsWith("2."));
}

TEST(NatsConnectionTest, UserAndPasswordAreInTheUrl) {
  const NatsServer server("authorization { user: ann, password: secret }\n");
  const NatsConnection connection({.servers = {server.url("ann:secret")}}, 10s);
  EXPECT_TRUE(connection.is_connected());
}

TEST(R_CLUSTER_7, WrongCredentialsAreReportedUntilTheServerAcceptsThem) {
  NatsServer server("authorization { user: ann, password: other }\n");
  NatsConnection connection({.servers = {server.url("ann:secret")}}, 0ms);
  ASSERT_TRUE(happens([&] {
    return connection.problem().value_or("").find("Authorization Violation") != std::string::npos;
  }));
  EXPECT_EQ(connection.problem()->find("secret"), std::string::npos);
  server.kill();
  server.configure("authorization { user: ann, password: secret }\n");
  server.start();
  EXPECT_TRUE(connection.wait_connected(30s));
}

TEST(R_CLUSTER_7, CredentialsThatAServerRefusesForAWhileAreTriedForEver) {
  NatsServer server("authorization { user: ann, password: secret }\n");
  NatsConnection connection({.servers = {server.url("ann:secret")}}, 10s);
  ASSERT_TRUE(connection.is_connected());
  server.kill();
  server.configure("authorization { user: ann, password: other }\n");
  server.start();
  // The library gives up after the second refusal.
  ASSERT_TRUE(happens([&] {
    return connection.problem().value_or("").find("Authorization Violation") != std::string::npos;
  }));
  server.kill();
  server.configure("authorization { user: ann, password: secret }\n");
  server.start();
  EXPECT_TRUE(connection.wait_connected(30s));
}

TEST(NatsConnectionTest, ANkeyIsReadFromItsSeed) {
  const NatsServer server("authorization { users: [ { nkey: " + std::string(kKey) + " } ] }\n");
  const TempDirectory directory;
  directory.add("user.nk", "# of a test\n" + std::string(kSeed) + "\n");
  const NatsConnection connection({.servers = {server.url()}, .credentials = directory / "user.nk"},
                                  10s);
  EXPECT_FALSE(connection.problem()) << *connection.problem();
}

TEST(NatsConnectionTest, ACredentialsFileHasTheClaimsOfAUserAndItsSeed) {
  const NatsServer server("operator: " + std::string(kOperatorClaims) +
                              "\nresolver: MEMORY\nresolver_preload: { " + kAccount + ": " +
                              kAccountClaims + " }\n",
                          {.has_jetstream = false});
  const TempDirectory directory;
  directory.add("user.creds", "-----BEGIN NATS USER JWT-----\n" + std::string(kUserClaims) +
                                  "\n------END NATS USER JWT------\n\n"
                                  "-----BEGIN USER NKEY SEED-----\n" +
                                  kSeed + "\n------END USER NKEY SEED------\n");
  const NatsConnection connection(
      {.servers = {server.url()}, .credentials = directory / "user.creds"}, 10s);
  EXPECT_FALSE(connection.problem()) << *connection.problem();
}

TEST(NatsConnectionTest, ServersAreCheckedAgainstTheCertificatesThatAreGiven) {
  const TempDirectory directory;
  const std::string tls = make_certificate(directory, "own");
  make_certificate(directory, "foreign");
  const NatsServer server(tls);
  NatsConnection connection(secured(server, directory / "own.pem"), 10s);
  EXPECT_FALSE(connection.problem()) << *connection.problem();
  EXPECT_TRUE(connection.publish("a", std::string(900'000, 'x')));
  const NatsConnection other(secured(server, directory / "foreign.pem"), 0ms);
  EXPECT_TRUE(happens([&] {
    return other.problem().value_or("").find("SSL") != std::string::npos;
  })) << other.problem().value_or("");
}

TEST(NatsConnectionTest, WrongOptionsAreReportedAtOnce) {
  const TempDirectory directory;
  directory.add("empty", "");
  const std::vector<std::string> servers = {"nats://127.0.0.1:1"};
  EXPECT_THROW(NatsConnection({.servers = {}}, 0ms), std::runtime_error);
  EXPECT_THROW(NatsConnection({.servers = servers, .credentials = directory / "none"}, 0ms),
               std::runtime_error);
  EXPECT_THROW(NatsConnection({.servers = servers, .credentials = directory / "empty"}, 0ms),
               std::runtime_error);
  EXPECT_THROW(NatsConnection({.servers = servers, .ca = directory / "none"}, 0ms),
               std::runtime_error);
}

TEST(NkeyTest, APublicKeyFollowsFromItsSeed) {
  EXPECT_EQ(public_nkey(kSeed).value(), kKey);
}

TEST(NkeyTest, WhatIsNotTheSeedOfAUserIsRefused) {
  std::string changed = kSeed;
  changed[20] = changed[20] == 'A' ? 'B' : 'A';
  for (const std::string& text : {std::string(), std::string("SU"), std::string(kKey), changed,
                                  std::string(kSeed) + "A", std::string("SU!") + (kSeed + 3)})
    EXPECT_FALSE(public_nkey(text)) << text;
}

}  // namespace
}  // namespace oriel
