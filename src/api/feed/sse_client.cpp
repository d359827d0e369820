#include "api/feed/sse_client.h"

#include "api/feed/sse_format.h"
#include "base/log.h"

namespace oriel {

SseClient::SseClient(std::string id, Principal principal, std::string address, ShardHub& hub,
                     const std::string& epoch, FeedCounters& counters, OnEnd on_end)
    : epoch_(epoch),
      counters_(counters),
      id_(std::move(id)),
      address_(std::move(address)),
      principal_(std::move(principal)),
      hub_(hub),
      on_end_(std::move(on_end)),
      connected_at_(wall_now()) {}

SseClient::~SseClient() {
  if (subscription_) hub_.unsubscribe(*subscription_);
}

void SseClient::start(std::unique_ptr<http::Transport> connection, std::string first_bytes,
                      SubscribeOptions options) {
  last_cursor_ = options.after;
  options.live_reader = this;
  stream_ = std::make_shared<http::EventStream>(std::move(connection), *this);
  subscription_ = hub_.subscribe(std::move(options), [this] { ready(); });
  stream_->start(std::move(first_bytes));
}

void SseClient::ready() {
  if (subscription_->state() == SubscriptionState::kFailed) {
    drop();
  } else {
    stream_->wake();
  }
}

void SseClient::take_frames(std::vector<SharedBytes>& frames, std::size_t max_frames,
                            std::size_t max_bytes) {
  // Reused by all clients of the shard; empty outside of this function.
  thread_local std::vector<FramePtr> taken;
  subscription_->take(taken, max_frames, max_bytes);
  if (taken.empty()) return;
  const auto now = http::EventStream::Clock::now();
  for (FramePtr& next : taken) {
    const Frame& frame = *next;
    frames.push_back(encode_frame(std::move(next), epoch_));
    count_frame(frame, frames.back()->size(), now);
  }
  counters_.writes.add(1);
  taken.clear();
}

std::size_t SseClient::send_live(const FrameBatch& batch) {
  const auto encode = [this](const FramePtr& frame) { return encode_frame(frame, epoch_); };
  const std::span<const SharedBytes> frames = batch.sse(encode);
  std::size_t sent = 0;
  while (sent < frames.size()) {
    const std::size_t count = stream_->send_now(frames.subspan(sent));
    if (count == 0) break;
    for (const std::size_t end = sent + count; sent < end; ++sent)
      count_frame(*batch.frames()[sent], frames[sent]->size(), stream_->last_write());
    counters_.writes.add(1);
  }
  return sent;
}

void SseClient::count_frame(const Frame& frame, std::size_t bytes,
                            http::EventStream::Clock::time_point now) {
  if (frame.record) last_cursor_ = frame.record->sequence;
  if (frame.committed != Frame::Clock::time_point{}) counters_.count_latency(now - frame.committed);
  counters_.deliveries.add(1);
  counters_.bytes.add(bytes);
}

void SseClient::tick(http::EventStream::Clock::time_point now,
                     http::EventStream::Clock::duration heartbeat,
                     http::EventStream::Clock::duration stall) {
  if (stream_->is_stalled(now, stall)) {
    stream_->drop(http::StreamEnd::kStalled);
    return;
  }
  if (stream_->is_writing() || now - stream_->last_write() < heartbeat) return;
  std::string bytes(http::kHeartbeat);
  if (const Sequence position = subscription_->position();
      position > last_cursor_ && subscription_->queued_bytes() == 0) {
    bytes += cursor_frame({.sequence = position, .epoch = epoch_});
    last_cursor_ = position;
  }
  counters_.heartbeats.add(1);
  stream_->send_own(std::move(bytes));
}

void SseClient::stream_ended(http::StreamEnd end) {
  if (end == http::StreamEnd::kStalled) {
    counters_.stalled.add(1);
    log()->warn("client {} at {} dropped as stalled: its writes made no progress", id_, address_);
  }
  on_end_(*this);
}

SseClientInfo SseClient::info() const {
  const auto idle = std::chrono::duration_cast<std::chrono::milliseconds>(
      http::EventStream::Clock::now() - stream_->last_write());
  return {.client_id = id_,
          .address = address_,
          .principal = principal_.name,
          .connected_at = connected_at_,
          .last_write_at = wall_now() - idle,
          .filter = subscription_->filter(),
          .queued_bytes = subscription_->queued_bytes(),
          .sent_bytes = stream_->bytes_sent(),
          .is_live = subscription_->state() == SubscriptionState::kLive};
}

}  // namespace oriel
