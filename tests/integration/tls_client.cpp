#include "tls_client.h"

#include "child_process.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <fcntl.h>
#include <poll.h>

namespace oriel {
namespace {

struct FreeContext {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};

struct FreeSession {
  void operator()(SSL* ssl) const { SSL_free(ssl); }
};

// After a call that could not finish: waits for what it needs. False if the connection ended or the
// time is up.
bool may_go_on(SSL* ssl, int result, const Deadline& deadline) {
  const int reason = SSL_get_error(ssl, result);
  ERR_clear_error();
  if (reason != SSL_ERROR_WANT_READ && reason != SSL_ERROR_WANT_WRITE) return false;
  const short events = reason == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT;
  pollfd entry{.fd = SSL_get_fd(ssl), .events = events, .revents = 0};
  return poll(&entry, 1, static_cast<int>(deadline.left().count())) > 0;
}

void require(bool is_done, const std::string& what) {
  if (!is_done) throw std::runtime_error("cannot use " + what);
}

void prepare(SSL_CTX* context, const TlsOptions& options) {
  require(SSL_CTX_load_verify_locations(context, options.trusted.c_str(), nullptr) == 1,
          options.trusted.string());
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_max_proto_version(context, options.max_version);
  if (!options.ciphers.empty())
    require(SSL_CTX_set_cipher_list(context, options.ciphers.c_str()) == 1, options.ciphers);
  if (!options.client) return;
  require(SSL_CTX_use_certificate_chain_file(context, options.client->certificate.c_str()) == 1,
          options.client->certificate.string());
  require(SSL_CTX_use_PrivateKey_file(context, options.client->key.c_str(), SSL_FILETYPE_PEM) == 1,
          options.client->key.string());
}

}  // namespace

struct TlsClient::Session {
  std::unique_ptr<SSL_CTX, FreeContext> context{SSL_CTX_new(TLS_client_method())};
  std::unique_ptr<SSL, FreeSession> ssl;
};

TlsClient::TlsClient(std::uint16_t port, const TlsOptions& options)
    : socket_(port), session_(std::make_unique<Session>()) {
  SSL_CTX* const context = session_->context.get();
  prepare(context, options);
  session_->ssl.reset(SSL_new(context));
  SSL* const ssl = session_->ssl.get();
  fcntl(socket_.fd(), F_SETFL, O_NONBLOCK);
  SSL_set_fd(ssl, socket_.fd());
  SSL_set1_host(ssl, "localhost");
  SSL_set_tlsext_host_name(ssl, "localhost");
  const Deadline deadline(kPatience);
  int result = 0;
  while ((result = SSL_connect(ssl)) != 1) {
    if (!may_go_on(ssl, result, deadline)) throw Closed("no TLS handshake");
  }
}

TlsClient::~TlsClient() = default;

void TlsClient::send(std::string_view bytes) {
  SSL* const ssl = session_->ssl.get();
  const Deadline deadline(kPatience);
  int result = 0;
  while ((result = SSL_write(ssl, bytes.data(), static_cast<int>(bytes.size()))) <= 0) {
    if (!may_go_on(ssl, result, deadline)) throw Closed("cannot send over TLS");
  }
}

std::optional<std::string> TlsClient::read_some(const Deadline& deadline) {
  SSL* const ssl = session_->ssl.get();
  std::string bytes(64 << 10, '\0');
  int result = 0;
  while ((result = SSL_read(ssl, bytes.data(), static_cast<int>(bytes.size()))) <= 0) {
    if (may_go_on(ssl, result, deadline)) continue;
    if (deadline.passed()) return std::nullopt;
    return std::string();
  }
  bytes.resize(static_cast<std::size_t>(result));
  return bytes;
}

CertificateFiles make_certificate(const std::filesystem::path& dir) {
  std::filesystem::create_directories(dir);
  const CertificateFiles files{.certificate = dir / "cert.pem", .key = dir / "key.pem"};
  const Command command{.words = {"/usr/bin/env", "openssl", "req", "-x509", "-newkey", "ec",
                                  "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
                                  "1", "-subj", "/CN=localhost", "-addext",
                                  "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout",
                                  files.key.string(), "-out", files.certificate.string()}};
  const Finished made = run(command);
  if (made.exit_code != 0) throw std::runtime_error("no certificate: " + made.err);
  return files;
}

}  // namespace oriel
