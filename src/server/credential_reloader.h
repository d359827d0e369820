#pragma once
// Reads tokens and certificates again when their files change, or at SIGHUP.

#include "auth/token_store.h"
#include "base/event/session_event.h"
#include "http/transport/tls_context.h"
#include "posix/service/service_manager.h"
#include "runtime/blocking_thread.h"
#include "runtime/signals.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

// What a reload touches, beside the tokens. Called on the blocking thread.
struct ReloadTargets {
  std::function<bool(http::TlsReload)> tls;  // as http::Server::reload_tls
  std::string certificate;                   // for the log
  // Entries of the audit for tokens that were created or revoked.
  std::function<void(std::vector<event::Audit>)> audit;
};

// Lives on one shard. What it refers to outlives its coroutines.
class CredentialReloader {
 public:
  CredentialReloader(asio::any_io_executor shard, BlockingThread& blocking, TokenStore& tokens,
                     ReloadTargets targets);

  // Reads files that have changed, twice a second, and then calls `after` on the blocking thread.
  asio::awaitable<void> watch(std::function<void()> after);

  // Reads all files at each of these signals, and reports it.
  asio::awaitable<void> reload_at(Signals& signals, const ServiceManager& manager);

  // Blocks. A file that cannot be read is logged; then no token is valid, and certificates stay.
  void reload(http::TlsReload when);

 private:
  void reload_tokens();

  asio::any_io_executor shard_;
  BlockingThread& blocking_;
  TokenStore& tokens_;
  ReloadTargets targets_;
  std::optional<std::vector<Token>> tokens_before_failure_;  // to read their file; on blocking_
};

}  // namespace oriel
