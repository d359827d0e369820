#pragma once
// A TLS connection to a port of this machine, trusting one certificate.

#include "raw_client.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace oriel {

struct CertificateFiles {
  std::filesystem::path certificate;
  std::filesystem::path key;
};

struct TlsOptions {
  std::filesystem::path trusted;                // the server's certificate
  std::optional<CertificateFiles> client = {};  // what this client presents
  int max_version = 0;                          // such as TLS1_2_VERSION; 0: the newest
  std::string ciphers = {};                     // of TLS 1.2 and before; empty: the defaults
};

class TlsClient : public Connection {
 public:
  // Throws Closed if the handshake fails or the server shows another certificate.
  TlsClient(std::uint16_t port, const TlsOptions& options);
  ~TlsClient() override;

  void send(std::string_view bytes) override;

 protected:
  std::optional<std::string> read_some(const Deadline& deadline) override;

 private:
  struct Session;
  RawClient socket_;
  std::unique_ptr<Session> session_;
};

// A self-signed certificate for 127.0.0.1 and localhost, made by the openssl command in
// this directory, which is created.
CertificateFiles make_certificate(const std::filesystem::path& dir);

}  // namespace oriel
