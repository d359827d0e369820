#pragma once
// One watcher of the browser stream: its place in the journal on one side, its connection on the
// other.

#include "api/feed/feed_counters.h"
#include "base/cache_line.h"
#include "base/time.h"
#include "http/event_stream.h"
#include "http/request.h"
#include "hub/shard_hub.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace oriel {

// What the registry shows of a client.
struct SseClientInfo {
  std::string client_id;
  std::string address;
  std::string principal;
  WallTime connected_at;
  WallTime last_write_at;
  EventFilter filter;
  std::size_t queued_bytes = 0;
  std::uint64_t sent_bytes = 0;
  bool is_live = false;  // else it still replays
};

// Lives on its shard, owned by its ShardFeed, which it tells when it has ended.
class alignas(kCacheLine) SseClient : public http::FrameSource, public LiveReader {
 public:
  using OnEnd = std::function<void(SseClient& client)>;

  SseClient(std::string id, http::Principal principal, std::string address, ShardHub& hub,
            FeedCounters& counters, OnEnd on_end);
  ~SseClient() override;

  // Subscribes, and sends `first_bytes` before everything else.
  void start(std::unique_ptr<http::Transport> connection, std::string first_bytes,
             SubscribeOptions options);

  // Heartbeats and the end of stalled clients. `epoch` is the journal's.
  void tick(http::EventStream::Clock::time_point now, http::EventStream::Clock::duration heartbeat,
            http::EventStream::Clock::duration stall, const std::string& epoch);

  void finish(std::string last_bytes) { stream_->finish(std::move(last_bytes)); }

  void drop() { stream_->drop(http::StreamEnd::kDropped); }

  const std::string& id() const { return id_; }

  const std::string& address() const { return address_; }

  const http::Principal& principal() const { return principal_; }

  SseClientInfo info() const;

 private:
  void take_frames(std::vector<SharedBytes>& frames, std::size_t max_frames,
                   std::size_t max_bytes) override;

  Memory touched() const override { return {this, stream_.get(), stream_->connection()}; }

  std::size_t take_live(const FrameBatch& batch) override;
  void stream_ended(http::StreamEnd end) override;
  void ready();
  void count_write(std::span<const FramePtr> frames, http::EventStream::Clock::time_point now);

  // What a delivery touches comes first, in one line of the cache.
  std::shared_ptr<http::EventStream> stream_;
  FeedCounters& counters_;
  Sequence told_ = kNoSequence;  // the newest cursor that the client knows
  std::shared_ptr<Subscription> subscription_;

  std::string id_;
  std::string address_;
  http::Principal principal_;
  ShardHub& hub_;
  OnEnd on_end_;
  WallTime connected_at_;
};

}  // namespace oriel
