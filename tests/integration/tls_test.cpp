// HTTPS by --tls-cert and --tls-key, client certificates by --tls-client-ca.

#include "publisher.h"
#include "raw_client.h"
#include "sse_client.h"
#include "tls_client.h"

#include <gmock/gmock.h>
#include <openssl/ssl.h>

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
    return connect(server, {.trusted = files_.certificate});
  }

  static std::unique_ptr<TlsClient> connect(const ServerProcess& server,
                                            const TlsOptions& options) {
    return std::make_unique<TlsClient>(server.port(), options);
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

class R_TLS_1 : public Tls {};

class R_TLS_2 : public Tls {
 protected:
  // Whether a new connection is shown this certificate.
  static bool shows(const ServerProcess& server, const CertificateFiles& files) {
    try {
      return call(*connect(server, {.trusted = files.certificate}), {.target = "/health"}).status ==
             200;
    } catch (const Closed&) {
      return false;
    }
  }

  static void copy(const std::filesystem::path& from, const std::filesystem::path& to) {
    std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing);
  }

  // The files that the server was started with now hold another certificate.
  void replace_with(const CertificateFiles& files) {
    copy(files.key, files_.key);
    copy(files.certificate, files_.certificate);
  }

  bool logs(const ServerProcess& server, const std::string& text) const {
    return eventually([&] { return server.log().find(text) != std::string::npos; });
  }

  CertificateFiles old_ = copy_of_files();
  CertificateFiles new_ = make_certificate(dir_.path() / "new");

 private:
  CertificateFiles copy_of_files() const {
    const CertificateFiles copies{.certificate = dir_.path() / "old.pem",
                                  .key = dir_.path() / "old-key.pem"};
    copy(files_.certificate, copies.certificate);
    copy(files_.key, copies.key);
    return copies;
  }
};

class R_TLS_3 : public Tls {};

class R_TLS_4 : public Tls {};

TEST_F(R_TLS_1, VersionsBefore12AreRefused) {
  ServerProcess server(flags());
  const TlsOptions old{
      .trusted = files_.certificate, .max_version = TLS1_1_VERSION, .ciphers = "ALL:@SECLEVEL=0"};
  EXPECT_THROW(connect(server, old), Closed);
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    const TlsOptions modern{.trusted = files_.certificate, .max_version = version};
    EXPECT_EQ(call(*connect(server, modern), {.target = "/health"}).status, 200);
  }
}

TEST_F(R_TLS_1, CiphersWithoutForwardSecrecyOrAuthenticationAreRefused) {
  ServerProcess server(flags());
  TlsOptions options{.trusted = files_.certificate, .max_version = TLS1_2_VERSION};
  for (const char* const weak :
       {"ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA384", "AES128-GCM-SHA256"}) {
    options.ciphers = weak;
    EXPECT_THROW(connect(server, options), Closed) << weak;
  }
  options.ciphers = "ECDHE-ECDSA-AES128-GCM-SHA256";
  EXPECT_EQ(call(*connect(server, options), {.target = "/health"}).status, 200);
}

TEST_F(R_TLS_2, ChangedCertificateIsForNewConnectionsAndOldOnesStay) {
  ServerProcess server(flags());
  SseClient watcher(connect(server), {});
  watcher.hello();
  replace_with(new_);
  EXPECT_TRUE(eventually([&] { return shows(server, new_); }));
  EXPECT_FALSE(shows(server, old_));
  EXPECT_EQ(publish(server, R"({"type":"after"})").status, 201);
  EXPECT_EQ(watcher.next_event().event, "after");
}

TEST_F(R_TLS_2, HangupReadsTheCertificateAgain) {
  ServerProcess server(flags());
  server.hang_up();
  EXPECT_TRUE(logs(server, "TLS: " + files_.certificate.string() + " loaded"));
  EXPECT_TRUE(shows(server, old_));
}

TEST_F(R_TLS_2, CertificateWithoutItsKeyIsNotUsed) {
  ServerProcess server(flags());
  copy(new_.certificate, files_.certificate);
  EXPECT_TRUE(logs(server, "keeping the previous certificate"));
  EXPECT_THAT(server.log(), HasSubstr("cannot use the TLS key " + files_.key.string()));
  EXPECT_TRUE(shows(server, old_));
  copy(new_.key, files_.key);
  EXPECT_TRUE(eventually([&] { return shows(server, new_); })) << "once the key is there";
}

TEST_F(R_TLS_2, MissingFileIsReportedOnceAndTheCertificateKept) {
  ServerProcess server(flags());
  std::filesystem::remove(files_.certificate);
  EXPECT_TRUE(logs(server, "No such file or directory"));
  server.hang_up();
  EXPECT_TRUE(logs(server, "reading tokens and certificates again"));
  EXPECT_TRUE(shows(server, old_));
  replace_with(new_);
  EXPECT_TRUE(eventually([&] { return shows(server, new_); }));
}

TEST_F(R_TLS_3, ClientNeedsACertificateOfTheCa) {
  const CertificateFiles known = make_certificate(dir_.path() / "known");
  const CertificateFiles foreign = make_certificate(dir_.path() / "foreign");
  std::vector<std::string> flags = this->flags();
  flags.insert(flags.end(), {"--tls-client-ca", known.certificate.string()});
  ServerProcess server(flags);
  const auto status_for = [&](std::optional<CertificateFiles> client, int version) {
    const TlsOptions options{
        .trusted = files_.certificate, .client = std::move(client), .max_version = version};
    return call(*connect(server, options), {.target = "/health"}).status;
  };
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    EXPECT_EQ(status_for(known, version), 200);
    EXPECT_THROW(status_for(foreign, version), Closed);
    EXPECT_THROW(status_for(std::nullopt, version), Closed);
  }
}

// A public URL needs one.
void create_token(const TempDir& data) {
  const Finished made = run_oriel({"token", "create", "ci", "--data-dir", data.path().string()});
  EXPECT_EQ(made.exit_code, 0) << made.err;
}

TEST_F(R_TLS_4, StrictTransportSecurityIsSentForPublicNamesOnly) {
  std::vector<std::string> flags = this->flags();
  flags.insert(flags.end(), {"--public-url", "https://oriel.example.org"});
  const TempDir data;
  create_token(data);
  ServerProcess server(flags, data.path());
  const auto policy_for = [&](std::string host, std::string target) {
    return call(*connect(server), {.target = std::move(target), .host = std::move(host)})
        .header("strict-transport-security");
  };
  EXPECT_EQ(policy_for("oriel.example.org", "/health"), "max-age=31536000");
  EXPECT_EQ(policy_for("oriel.example.org", "/missing"), "max-age=31536000");
  EXPECT_EQ(policy_for("localhost:7433", "/health"), "") << "it would apply to all its ports";
}

TEST_F(R_TLS_4, TheUnixSocketHasNeitherTlsNorStrictTransportSecurity) {
  std::vector<std::string> flags = this->flags();
  flags.insert(flags.end(), {"--public-url", "https://oriel.example.org"});
  const TempDir data;
  create_token(data);
  ServerProcess server(flags, data.path());
  RawClient client(server.socket());
  const HttpResponse health = call(client, {.target = "/health", .host = "oriel.example.org"});
  EXPECT_EQ(health.status, 200);
  EXPECT_EQ(health.header("strict-transport-security"), "");
}

TEST_F(R_TLS_4, PlainHttpHasNoStrictTransportSecurity) {
  const TempDir data;
  create_token(data);
  ServerProcess server({"--public-url", "https://oriel.example.org"}, data.path());
  EXPECT_EQ(call(server, {.target = "/health", .host = "oriel.example.org"})
                .header("strict-transport-security"),
            "");
}

}  // namespace
}  // namespace oriel
