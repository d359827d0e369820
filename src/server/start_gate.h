#pragma once
// Keeps clients out of a node until it shows what the other nodes of its cluster show.

#include "http/access_control.h"

#include <atomic>
#include <functional>
#include <string>

namespace oriel {

// 503 with the reason.
http::Response starting_response(const std::string& reason);

// Rejects requests with 503 and the reason until it is opened, except those of /health and /ready;
// when it is open for readers, only those that change something. MCP requests pass then: they read
// with POST, and those that change something fail because nothing is stored. Readers with a token
// or login are rejected, too: another node may have revoked it. Safe from any thread.
class StartGate final : public http::AccessControl {
 public:
  // `reason` tells why the node is not ready.
  StartGate(const http::AccessControl& access, std::function<std::string()> reason)
      : access_(access), reason_(std::move(reason)) {}

  void open_for_readers() { opening_.store(Opening::kReaders, std::memory_order_release); }

  void open() { opening_.store(Opening::kAll, std::memory_order_release); }

  std::optional<http::Response> check(const http::Route* route,
                                      http::Request& request) const override;

  http::Headers response_headers(const http::Request& request) const override {
    return access_.response_headers(request);
  }

 private:
  enum class Opening { kNone, kReaders, kAll };

  bool admits(const http::Route* route, const http::Request& request) const;

  const http::AccessControl& access_;
  std::function<std::string()> reason_;
  std::atomic<Opening> opening_ = Opening::kNone;
};

}  // namespace oriel
