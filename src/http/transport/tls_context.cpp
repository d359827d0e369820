#include "http/transport/tls_context.h"

#include "http/digest.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/context.hpp>
#include <openssl/ssl.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace oriel::http {
namespace {

using boost::system::error_code;

// Of TLS 1.2. All suites of TLS 1.3 qualify.
constexpr const char* kCiphers =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:"
    "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:"
    "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";

// Without it, OpenSSL fails resumed sessions of clients with certificates.
constexpr std::string_view kSessionContext = "oriel";

struct PemFile {
  std::string path;
  std::string text;
  std::string problem;  // set if it cannot be read
};

struct PemFiles {
  PemFile cert;
  PemFile key;
  PemFile client_ca;
};

PemFile read_pem(const std::string& path) {
  PemFile file{.path = path, .text = {}, .problem = {}};
  if (path.empty()) return file;
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (in) file.text.assign(std::istreambuf_iterator<char>(in), {});
  if (!in || file.text.empty())
    file.problem = errno != 0 ? std::strerror(errno) : "the file is empty";
  return file;
}

PemFiles read_files(const TlsFiles& files) {
  return {.cert = read_pem(files.cert),
          .key = read_pem(files.key),
          .client_ca = read_pem(files.client_ca)};
}

// Detects changes without holding a copy of the key.
std::string fingerprint_of(const PemFiles& files) {
  std::string all;
  for (const PemFile* const file : {&files.cert, &files.key, &files.client_ca})
    all += sha256_hex(file->text) + file->problem;
  return all;
}

[[noreturn]] void fail(const char* what, const PemFile& file, const std::string& reason,
                       const char* remedy) {
  throw std::runtime_error(std::string("cannot use the ") + what + " " + file.path + ": " + reason +
                           "; " + remedy);
}

void check(const char* what, const PemFile& file, const error_code& ec, const char* remedy) {
  if (!file.problem.empty()) fail(what, file, file.problem, remedy);
  if (ec) fail(what, file, ec.message(), remedy);
}

void require_client_certificate(asio::ssl::context& context, const PemFile& ca) {
  error_code ec;
  context.add_certificate_authority(asio::buffer(ca.text), ec);
  check("CA of TLS clients", ca, ec, "--tls-client-ca takes a PEM file with CA certificates");
  context.set_verify_mode(asio::ssl::verify_peer | asio::ssl::verify_fail_if_no_peer_cert);
  SSL_CTX_set_session_id_context(context.native_handle(),
                                 reinterpret_cast<const unsigned char*>(kSessionContext.data()),
                                 kSessionContext.size());
}

std::shared_ptr<asio::ssl::context> make_context(const PemFiles& files) {
  auto context = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
  SSL_CTX* const native = context->native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION);
  if (SSL_CTX_set_cipher_list(native, kCiphers) != 1)
    throw std::runtime_error("this OpenSSL has none of the ciphers that Oriel allows");

  error_code ec;
  context->use_certificate_chain(asio::buffer(files.cert.text), ec);
  check("TLS certificate", files.cert, ec, "--tls-cert takes a PEM file with the whole chain");
  context->use_private_key(asio::buffer(files.key.text), asio::ssl::context::pem, ec);
  check("TLS key", files.key, ec,
        "--tls-key takes the PEM file with the certificate's private key");
  if (!files.client_ca.path.empty()) require_client_certificate(*context, files.client_ca);
  return context;
}

}  // namespace

TlsContext::TlsContext(TlsFiles files) : files_(std::move(files)) {
  reload(TlsReload::kAlways);
}

TlsContext::~TlsContext() = default;

bool TlsContext::reload(TlsReload when) {
  const PemFiles files = read_files(files_);
  std::string fingerprint = fingerprint_of(files);
  if (when == TlsReload::kIfChanged && fingerprint == fingerprint_) return false;
  fingerprint_ = std::move(fingerprint);
  auto context = make_context(files);
  const MutexLock lock(mutex_);
  current_ = std::move(context);
  return true;
}

std::shared_ptr<asio::ssl::context> TlsContext::current() const {
  const MutexLock lock(mutex_);
  return current_;
}

}  // namespace oriel::http
