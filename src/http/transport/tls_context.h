#pragma once
// The server's side of TLS: certificate, key and the CA of clients, read again when a file changes.
// TLS 1.2 with forward secrecy and authenticated encryption, or TLS 1.3.

#include "base/mutex.h"
#include "runtime/asio.h"

#include <memory>
#include <string>

namespace boost::asio::ssl {
class context;
}

namespace oriel::http {

// PEM files. Without a certificate the server speaks plain HTTP.
struct TlsFiles {
  std::string cert;       // the whole chain
  std::string key;        // of the certificate
  std::string client_ca;  // if set, a client must present a certificate of one of these CAs
};

enum class TlsReload { kIfChanged, kAlways };

// reload() blocks and belongs on one thread; current() is thread-safe.
class TlsContext {
 public:
  // Throws std::runtime_error with the file and the remedy.
  explicit TlsContext(TlsFiles files);
  ~TlsContext();

  // Returns true if new connections get what the files now hold. Throws std::runtime_error if they
  // cannot be used; the previous ones stay in force. kIfChanged reports a failure once.
  bool reload(TlsReload when);

  // For a new connection. Established ones keep theirs.
  std::shared_ptr<asio::ssl::context> current() const;

 private:
  TlsFiles files_;
  std::string fingerprint_;  // of the files when they were last read

  // Not an atomic shared_ptr: libstdc++ 12's load() ends without release order, a race off x86.
  mutable Mutex mutex_;
  std::shared_ptr<asio::ssl::context> current_ GUARDED_BY(mutex_);
};

}  // namespace oriel::http
