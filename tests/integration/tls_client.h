#pragma once
// A TLS connection to a port of this machine, trusting one certificate.

#include "raw_client.h"

#include <filesystem>
#include <memory>

namespace oriel {

class TlsClient : public Connection {
 public:
  // Throws if the handshake fails or the server shows another certificate.
  TlsClient(std::uint16_t port, const std::filesystem::path& trusted_certificate);
  ~TlsClient() override;

  void send(std::string_view bytes) override;

 protected:
  std::optional<std::string> read_some(const Deadline& deadline) override;

 private:
  struct Session;
  RawClient socket_;
  std::unique_ptr<Session> session_;
};

struct CertificateFiles {
  std::filesystem::path certificate;
  std::filesystem::path key;
};

// A self-signed certificate for 127.0.0.1 and localhost, made by the openssl command.
CertificateFiles make_certificate(const std::filesystem::path& dir);

}  // namespace oriel
