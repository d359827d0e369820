// HTTPS by --tls-cert and --tls-key.

#include "publisher.h"
#include "sse_client.h"
#include "tls_client.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Tls : public testing::Test {
 protected:
  std::vector<std::string> flags() const {
    return {"--tls-cert", files_.certificate.string(), "--tls-key", files_.key.string()};
  }

  std::unique_ptr<TlsClient> connect(const ServerProcess& server) const {
    return std::make_unique<TlsClient>(server.port(), files_.certificate);
  }

  HttpResponse publish(const ServerProcess& server, std::string body) const {
    const auto client = connect(server);
    return call(*client, {.method = "POST",
                          .target = "/api/events",
                          .headers = {{"Content-Type", "application/json"}},
                          .body = std::move(body)});
  }

  TempDir dir_;
  CertificateFiles files_ = make_certificate(dir_.path());
};

TEST_F(Tls, StreamWorksOverHttps) {
  ServerProcess server(flags());
  EXPECT_THAT(server.url(), StartsWith("https://127.0.0.1:"));
  SseClient client(connect(server), {});
  client.hello();
  EXPECT_EQ(publish(server, R"({"type":"small"})").status, 201);
  EXPECT_EQ(client.next_event().event, "small");
  const std::string text(300'000, 'x');
  EXPECT_EQ(publish(server, R"({"type":"big","text":")" + text + R"("})").status, 201);
  EXPECT_EQ(client.next_event().text("text"), text);
}

TEST_F(Tls, ReplayAndByeWorkOverHttps) {
  ServerProcess server(flags());
  for (int i = 0; i < 5; ++i)
    publish(server, R"({"type":"n"})");
  SseClient client(connect(server), resume_after("0"));
  for (std::uint64_t i = 1; i <= 5; ++i)
    EXPECT_EQ(client.next_event().sequence(), i);
  server.signal(SIGTERM);
  EXPECT_EQ(client.next_event().event, "bye");
  EXPECT_TRUE(client.frames_to_end().empty());
  EXPECT_EQ(server.wait_exit(Milliseconds{5000}), 0);
}

TEST_F(Tls, PlainHttpToATlsPortDoesNoHarm) {
  ServerProcess server(flags());
  for (int i = 0; i < 5; ++i) {
    RawClient client(server.port());
    client.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_THAT(client.read_to_end(), testing::Not(HasSubstr("uptime_s")));
  }
  EXPECT_EQ(call(*connect(server), {.target = "/health"}).status, 200);
}

TEST_F(Tls, HandshakeThatNeverComesIsEnded) {
  std::vector<std::string> flags = this->flags();
  flags.insert(flags.end(), {"--header-timeout", "500ms", "--idle-timeout", "500ms"});
  ServerProcess server(flags);
  RawClient client(server.port());
  client.send("\x16\x03\x01");
  client.read_to_end();
  EXPECT_EQ(call(*connect(server), {.target = "/health"}).status, 200);
}

TEST_F(Tls, VanishedClientFreesItsSlot) {
  ServerProcess server(flags());
  const auto active = [&] {
    return call(*connect(server), {.target = "/health"})
        .json()
        .at("sse")
        .at("active_connections")
        .as_int64();
  };
  {
    SseClient client(connect(server), {});
    client.hello();
    EXPECT_EQ(active(), 1);
  }
  EXPECT_TRUE(eventually([&] { return active() == 0; }));
}

TEST_F(Tls, UnreadableFilesAreNamed) {
  const std::string missing = (dir_.path() / "missing.pem").string();
  const std::string data = dir_.path().string();
  const std::string cert = files_.certificate.string();
  const auto start = [&](std::vector<std::string> flags) {
    std::vector<std::string> arguments = {"serve", "--listen", "127.0.0.1:0", "--data-dir", data};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return run_oriel(arguments);
  };
  const Finished no_cert = start({"--tls-cert", missing, "--tls-key", files_.key.string()});
  EXPECT_NE(no_cert.exit_code, 0);
  EXPECT_THAT(no_cert.err, HasSubstr(missing));
  const Finished no_key = start({"--tls-cert", cert});
  EXPECT_EQ(no_key.exit_code, 2);
  EXPECT_THAT(no_key.err, HasSubstr("tls-key"));
  const Finished not_a_key = start({"--tls-cert", cert, "--tls-key", cert});
  EXPECT_NE(not_a_key.exit_code, 0);
  EXPECT_THAT(not_a_key.err, HasSubstr(cert));
}

}  // namespace
}  // namespace oriel
