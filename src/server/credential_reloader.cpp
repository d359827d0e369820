#include "server/credential_reloader.h"

#include "api/token_audit.h"
#include "base/log.h"

#include <chrono>
#include <cstring>
#include <stdexcept>

namespace oriel {
namespace {

// With the tick of open streams, at most 1 s, a revocation takes effect within 2 s.
constexpr std::chrono::milliseconds kWatchEvery{500};

}  // namespace

CredentialReloader::CredentialReloader(asio::any_io_executor shard, BlockingThread& blocking,
                                       TokenStore& tokens, ReloadTargets targets)
    : shard_(std::move(shard)),
      blocking_(blocking),
      tokens_(tokens),
      targets_(std::move(targets)) {}

asio::awaitable<void> CredentialReloader::watch(std::function<void()> after) {
  asio::steady_timer timer(shard_);
  while (true) {
    timer.expires_after(kWatchEvery);
    co_await timer.async_wait(asio::use_awaitable);
    auto work = [this, &after] {
      reload(http::TlsReload::kIfChanged);
      after();
    };
    co_await blocking_.run(work);
  }
}

asio::awaitable<void> CredentialReloader::reload_at(Signals& signals,
                                                    const ServiceManager& manager) {
  while (true) {
    const int signal = co_await signals.next();
    log()->info("{}: reading tokens and certificates again", strsignal(signal));
    const auto begin = std::chrono::steady_clock::now().time_since_epoch();
    manager.reloading(std::chrono::duration_cast<std::chrono::microseconds>(begin));
    auto work = [this] { reload(http::TlsReload::kAlways); };
    co_await blocking_.run(work);
    manager.ready();
  }
}

void CredentialReloader::reload(http::TlsReload when) {
  reload_tokens();
  try {
    if (targets_.tls(when)) log()->info("TLS: {} loaded for new connections", targets_.certificate);
  } catch (const std::runtime_error& failure) {
    log()->error("TLS: {}; keeping the previous certificate", failure.what());
  }
}

// A file that cannot be read changes no token in the audit.
void CredentialReloader::reload_tokens() {
  const std::vector<Token> known = tokens_.list();
  try {
    if (!tokens_.reload()) return;
  } catch (const std::runtime_error& failure) {
    log()->error("tokens: {}; no token is accepted until then", failure.what());
    if (!tokens_before_failure_) tokens_before_failure_ = known;
    return;
  }
  log()->info("tokens: {} loaded", tokens_.list().size());
  const std::vector<Token> before = tokens_before_failure_.value_or(known);
  tokens_before_failure_.reset();
  targets_.audit(audit_of_changes(before, tokens_.list()));
}

}  // namespace oriel
