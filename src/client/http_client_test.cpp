#include "client/http_client.h"

#include "runtime/shards.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/asio/write.hpp>
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <thread>

namespace oriel {
namespace {

using asio::ip::tcp;

constexpr HttpDeadlines kShort{.connect = std::chrono::seconds(10),
                               .response = std::chrono::milliseconds(50)};
constexpr HttpDeadlines kLong{};

// Accepts one connection, reads a request head, sends the response and closes, unless it stays.
class OneAnswer {
 public:
  explicit OneAnswer(std::string answer, bool stays = false)
      : acceptor_(io_, {asio::ip::make_address("127.0.0.1"), 0}), thread_([this, answer, stays] {
          tcp::socket socket = acceptor_.accept();
          error_code ec;
          asio::read_until(socket, asio::dynamic_buffer(request_), "\r\n\r\n", ec);
          asio::write(socket, asio::buffer(answer), ec);
          if (!stays) socket.shutdown(tcp::socket::shutdown_send, ec);
          char byte = 0;
          while (!ec)
            socket.read_some(asio::buffer(&byte, 1), ec);  // until the client closes
        }) {}

  ~OneAnswer() {
    if (thread_.joinable()) thread_.join();
  }

  HttpRequest request(std::string target = "/x") {
    const std::string port = std::to_string(acceptor_.local_endpoint().port());
    return {.method = "GET",
            .server = http::parse_url("http://127.0.0.1:" + port).value(),
            .target = std::move(target)};
  }

  const std::string& received() {
    if (thread_.joinable()) thread_.join();
    return request_;
  }

 private:
  asio::io_context io_;
  tcp::acceptor acceptor_;
  std::string request_;
  std::thread thread_;
};

Result<HttpResponse> run(HttpRequest request, HttpDeadlines deadlines = kLong) {
  asio::io_context io(1);
  auto answer = asio::co_spawn(io, fetch(std::move(request), deadlines), asio::use_future);
  io.run();
  return answer.get();
}

TEST(HttpClient, SendsTheRequest) {
  OneAnswer server("HTTP/1.1 204 No Content\r\n\r\n");
  HttpRequest request = server.request("/api?x=1");
  request.method = "POST";
  request.server.path = "/prefix";
  request.headers.emplace_back("X-Test", "yes");
  request.body = "12345";
  const std::string host = request.server.authority();
  ASSERT_TRUE(run(std::move(request)));
  EXPECT_TRUE(
      server.received().starts_with("POST /prefix/api?x=1 HTTP/1.1\r\nHost: " + host + "\r\n"));
  EXPECT_NE(server.received().find("\r\nX-Test: yes\r\n"), std::string::npos);
  EXPECT_NE(server.received().find("\r\nContent-Length: 5\r\n"), std::string::npos);
}

TEST(HttpClient, ReturnsStatusHeadersAndBody) {
  OneAnswer server(
      "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc");
  const auto answer = run(server.request());
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->status, 404);
  EXPECT_EQ(answer->header("content-type"), "text/plain");
  EXPECT_EQ(answer->header("absent"), std::nullopt);
  EXPECT_EQ(answer->body, "abc");
}

TEST(HttpClient, ReadsABodyThatEndsWithItsLength) {
  OneAnswer server("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", true);
  EXPECT_EQ(run(server.request())->body, "abc");
}

TEST(HttpClient, ReadsABodyThatEndsWithTheConnection) {
  OneAnswer server("HTTP/1.1 200 OK\r\n\r\nabc");
  EXPECT_EQ(run(server.request())->body, "abc");
}

TEST(HttpClient, ReadsAChunkedBody) {
  OneAnswer server(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n");
  EXPECT_EQ(run(server.request())->body, "abc");
}

TEST(HttpClient, ReportsATruncatedBody) {
  OneAnswer server("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc");
  EXPECT_EQ(run(server.request()).error().kind, ErrorKind::kConnectionLost);
}

TEST(HttpClient, ReportsAResponseThatIsNotHttp) {
  OneAnswer server("SSH-2.0-OpenSSH_9.2\r\n");
  EXPECT_EQ(run(server.request()).error().kind, ErrorKind::kBadAnswer);
}

TEST(HttpClient, ReportsAConnectionClosedWithoutAResponse) {
  OneAnswer server("");
  EXPECT_EQ(run(server.request()).error().kind, ErrorKind::kConnectionLost);
}

TEST(HttpClient, ReportsARefusedConnection) {
  HttpRequest request{
      .method = "GET", .server = http::parse_url("http://127.0.0.1:1").value(), .target = "/"};
  const Error error = run(std::move(request)).error();
  EXPECT_EQ(error.kind, ErrorKind::kConnectFailed);
  EXPECT_EQ(error.message, "connection refused");
}

TEST(HttpClient, TimesOutWaitingForAResponse) {
  OneAnswer server("HTTP/1.1 200", true);
  const Error error = run(server.request(), kShort).error();
  EXPECT_EQ(error.kind, ErrorKind::kTimedOut);
  EXPECT_EQ(error.message, "no response within 0.05 s");
}

TEST(HttpClient, TimesOutWaitingForABody) {
  OneAnswer server("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", true);
  EXPECT_EQ(run(server.request(), kShort).error().kind, ErrorKind::kTimedOut);
}

TEST(HttpClient, RejectsAnEndlessHead) {
  OneAnswer server("HTTP/1.1 200 OK\r\nX: " + std::string(100'000, 'x'));
  EXPECT_EQ(run(server.request()).error().kind, ErrorKind::kBadAnswer);
}

TEST(HttpClient, RejectsAHugeBody) {
  OneAnswer server("HTTP/1.1 200 OK\r\n\r\n" + std::string(kMaxResponseBytes + 1, 'x'));
  EXPECT_EQ(run(server.request()).error().kind, ErrorKind::kBadAnswer);
}

asio::awaitable<std::vector<std::string>> read_twice(HttpRequest request) {
  HttpStream stream;
  std::vector<std::string> got;
  const auto answer = co_await stream.open(std::move(request), kLong);
  got.push_back(answer->body);
  const auto first = co_await stream.read(std::chrono::seconds(10));
  got.push_back(*first);
  const auto second = co_await stream.read(std::chrono::milliseconds(20));
  got.push_back(second ? "" : std::string(code_of(second.error().kind)));
  co_return got;
}

TEST(HttpClient, ReturnsAStreamAsItArrives) {
  OneAnswer server("HTTP/1.1 200 OK\r\n\r\nfirst", true);
  asio::io_context io(1);
  auto got = asio::co_spawn(io, read_twice(server.request()), asio::use_future);
  io.run();
  EXPECT_EQ(got.get(), (std::vector<std::string>{"", "first", "timed_out"}));
}

asio::awaitable<Result<std::string>> read_from(HttpStream& stream, HttpRequest request,
                                               bool& is_open) {
  const auto answer = co_await stream.open(std::move(request), kLong);
  is_open = answer.has_value();
  auto reading = stream.read(std::chrono::seconds(10));
  co_return co_await std::move(reading);
}

TEST(HttpClient, FailsAPendingReadOnClose) {
  OneAnswer server("HTTP/1.1 200 OK\r\n\r\n", true);
  asio::io_context io(1);
  HttpStream stream;
  stream.close();  // nothing to close yet
  bool is_open = false;
  auto got = asio::co_spawn(io, read_from(stream, server.request(), is_open), asio::use_future);
  while (!is_open)
    io.run_one();
  stream.close();
  io.run();
  EXPECT_EQ(got.get().error().kind, ErrorKind::kConnectionLost);
}

// A self-signed certificate for 127.0.0.1, and a server that responds to one request with it.
class TlsServer {
 public:
  TlsServer() : acceptor_(io_, {asio::ip::make_address("127.0.0.1"), 0}) {
    make_certificate();
    thread_ = std::thread([this] {
      asio::ssl::stream<tcp::socket> stream(acceptor_.accept(), context_);
      error_code ec;
      stream.handshake(asio::ssl::stream_base::server, ec);
      std::string request;
      if (!ec) asio::read_until(stream, asio::dynamic_buffer(request), "\r\n\r\n", ec);
      const std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nsafe";
      if (!ec) asio::write(stream, asio::buffer(answer), ec);
      char byte = 0;
      while (!ec)
        stream.read_some(asio::buffer(&byte, 1), ec);
    });
  }

  ~TlsServer() {
    thread_.join();
    std::remove(file_.c_str());
  }

  HttpRequest request(const std::string& host) {
    const std::string port = std::to_string(acceptor_.local_endpoint().port());
    return {.method = "GET",
            .server = http::parse_url("https://" + host + ":" + port).value(),
            .target = "/"};
  }

  const std::string& certificate_file() const { return file_; }

 private:
  void make_certificate() {
    const std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
    const std::unique_ptr<X509, void (*)(X509*)> certificate(X509_new(), X509_free);
    X509_set_version(certificate.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
    X509_set_pubkey(certificate.get(), key.get());
    const std::unique_ptr<X509_EXTENSION, void (*)(X509_EXTENSION*)> name(
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1"),
        X509_EXTENSION_free);
    X509_add_ext(certificate.get(), name.get(), -1);
    X509_sign(certificate.get(), key.get(), EVP_sha256());
    SSL_CTX_use_certificate(context_.native_handle(), certificate.get());
    SSL_CTX_use_PrivateKey(context_.native_handle(), key.get());
    file_ = testing::TempDir() + "oriel_http_client_test.pem";
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(file_.c_str(), "w"),
                                                               std::fclose);
    PEM_write_X509(file.get(), certificate.get());
  }

  asio::io_context io_;
  tcp::acceptor acceptor_;
  asio::ssl::context context_{asio::ssl::context::tls_server};
  std::string file_;
  std::thread thread_;
};

// Sets SSL_CERT_FILE during a test.
class Trust {
 public:
  explicit Trust(const std::string& file) { ::setenv("SSL_CERT_FILE", file.c_str(), 1); }

  ~Trust() { ::unsetenv("SSL_CERT_FILE"); }
};

TEST(HttpClient, SupportsTls) {
  TlsServer server;
  const Trust trust(server.certificate_file());
  const auto answer = run(server.request("127.0.0.1"));
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->body, "safe");
}

TEST(HttpClient, RejectsAnUntrustedCertificate) {
  TlsServer server;
  const Error error = run(server.request("127.0.0.1")).error();
  EXPECT_EQ(error.kind, ErrorKind::kTlsUntrusted);
  EXPECT_EQ(error.message, "the server's certificate is not trusted: self-signed certificate");
}

TEST(HttpClient, RejectsACertificateOfAnotherName) {
  TlsServer server;
  const Trust trust(server.certificate_file());
  const Error error = run(server.request("localhost")).error();
  EXPECT_EQ(error.kind, ErrorKind::kTlsUntrusted);
  EXPECT_EQ(error.message, "the server's certificate is not trusted: hostname mismatch");
}

}  // namespace
}  // namespace oriel
