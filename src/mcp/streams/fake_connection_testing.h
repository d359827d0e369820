#pragma once
// For tests: a client's end of a stream, in memory.

#include "http/transport/transport.h"

#include <memory>
#include <string>
#include <vector>

namespace oriel::mcp {

// The client's received bytes, and the behaviour of its connection.
struct FakeClient {
  std::string received;
  bool is_slow = false;  // receives nothing until release()
  bool is_closed = false;
  std::shared_ptr<http::StreamObserver> observer;
  std::string pending;

  // Delivers the bytes held for a slow client.
  void release() {
    is_slow = false;
    received += std::exchange(pending, {});
    if (observer) observer->write_finished({});
  }

  // The client disconnects.
  void close() { observer->peer_closed(asio::error::eof); }

  // The data of received events, without priming events.
  std::vector<std::string> events() const {
    std::vector<std::string> all;
    constexpr std::string_view kMark = "data: ";
    for (std::size_t at = received.find(kMark); at != std::string::npos;
         at = received.find(kMark, at + 1)) {
      const std::size_t begin = at + kMark.size();
      std::string data = received.substr(begin, received.find('\n', begin) - begin);
      if (!data.empty()) all.push_back(std::move(data));
    }
    return all;
  }

  // The id of the newest event.
  std::string last_id() const {
    const std::size_t begin = received.rfind("id: ") + 4;
    return received.substr(begin, received.find('\n', begin) - begin);
  }
};

// The server's end. The client outlives it.
class FakeTransport : public http::Transport {
 public:
  explicit FakeTransport(FakeClient& client) : client_(client) {}

  asio::awaitable<void> handshake() override { co_return; }

  asio::awaitable<std::size_t> read_some(asio::mutable_buffer) override { co_return 0; }

  asio::awaitable<void> write(std::span<const asio::const_buffer>) override { co_return; }

  void watch_peer(const std::shared_ptr<http::StreamObserver>& observer) override {
    client_.observer = observer;
  }

  http::WriteOutcome send(std::span<const asio::const_buffer> buffers) override {
    std::string& into = client_.is_slow ? client_.pending : client_.received;
    for (const asio::const_buffer& buffer : buffers)
      into.append(static_cast<const char*>(buffer.data()), buffer.size());
    return client_.is_slow ? http::WriteOutcome::kPending : http::WriteOutcome::kDone;
  }

  std::uint64_t bytes_sent() const override { return client_.received.size(); }

  std::uint64_t bytes_unacknowledged() override { return client_.pending.size(); }

  void cancel() override {}

  void shutdown_send() override {}

  void close() override {
    client_.is_closed = true;
    client_.observer.reset();
  }

  std::string peer() const override { return "test"; }

 private:
  FakeClient& client_;
};

}  // namespace oriel::mcp
