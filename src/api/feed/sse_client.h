#pragma once
// One client of the event stream: joins a hub subscription to a connection.

#include "api/feed/feed_counters.h"
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

// A client as /api/clients shows it.
struct SseClientInfo {
  std::string client_id;
  std::string address;
  std::string principal;
  WallTime connected_at;
  WallTime last_write_at;
  EventFilter filter;
  std::size_t queued_bytes = 0;
  std::uint64_t sent_bytes = 0;
  bool is_live = false;  // else replaying
};

// Lives on its shard; its owner, ShardFeed, destroys it after `on_end`.
class SseClient : public http::FrameSource, public LiveReader {
 public:
  using OnEnd = std::function<void(SseClient& client)>;

  // `epoch` is the journal's, and outlives the client.
  SseClient(std::string id, Principal principal, std::string address, ShardHub& hub,
            const std::string& epoch, FeedCounters& counters, OnEnd on_end);
  ~SseClient() override;

  // Subscribes, and sends `first_bytes` before everything else.
  void start(std::unique_ptr<http::Transport> connection, std::string first_bytes,
             SubscribeOptions options);

  // Sends heartbeats and ends a stalled client.
  void tick(http::EventStream::Clock::time_point now, http::EventStream::Clock::duration heartbeat,
            http::EventStream::Clock::duration stall);

  void finish(std::string last_bytes) { stream_->finish(std::move(last_bytes)); }

  void drop() { stream_->drop(http::StreamEnd::kDropped); }

  const std::string& id() const { return id_; }

  const std::string& address() const { return address_; }

  const Principal& principal() const { return principal_; }

  SseClientInfo info() const;

 private:
  void take_frames(std::vector<SharedBytes>& frames, std::size_t max_frames,
                   std::size_t max_bytes) override;

  std::size_t send_live(const FrameBatch& batch) override;
  void stream_ended(http::StreamEnd end) override;
  void ready();
  void count_frame(const Frame& frame, std::size_t bytes, http::EventStream::Clock::time_point now);

  std::shared_ptr<http::EventStream> stream_;
  std::shared_ptr<Subscription> subscription_;
  const std::string& epoch_;
  FeedCounters& counters_;
  Sequence last_cursor_ = kNoSequence;  // the newest that was sent to the client
  std::string id_;
  std::string address_;
  Principal principal_;
  ShardHub& hub_;
  OnEnd on_end_;
  WallTime connected_at_;
};

}  // namespace oriel
