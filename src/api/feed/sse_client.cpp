#include "api/feed/sse_client.h"

#include "api/feed/sse_format.h"
#include "base/log.h"

namespace oriel {

SseClient::SseClient(std::string id, http::Principal principal, std::string address, ShardHub& hub,
                     FeedCounters& counters, OnEnd on_end)
    : counters_(counters),
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
  told_ = options.after;
  options.live_reader = this;
  stream_ = std::make_shared<http::EventStream>(std::move(connection), *this);
  subscription_ = hub_.subscribe(std::move(options), [this] { ready(); });
  stream_->start(std::move(first_bytes));
}

void SseClient::ready() {
  switch (subscription_->state()) {
    case SubscriptionState::kOverflowed:
      log()->info("client {} at {} is ended: its queue is full; it can resume by cursor", id_,
                  address_);
      drop();
      break;
    case SubscriptionState::kFailed:
      drop();
      break;
    default:
      stream_->wake();
  }
}

void SseClient::take_frames(std::vector<SharedBytes>& frames, std::size_t max_frames,
                            std::size_t max_bytes) {
  // Shared by the shard's clients: it is empty whenever none of them is in here.
  thread_local std::vector<FramePtr> taken;
  subscription_->take(taken, max_frames, max_bytes);
  if (taken.empty()) return;
  count_write(taken, http::EventStream::Clock::now());
  for (FramePtr& frame : taken) {
    const std::string* const data = &frame->bytes;
    frames.push_back(SharedBytes(std::move(frame), data));
  }
  taken.clear();
}

std::size_t SseClient::take_live(const FrameBatch& batch) {
  const std::span<const FramePtr> frames(batch.frames);
  std::size_t taken = 0;
  while (taken < frames.size()) {
    const std::size_t sent = stream_->send_now(std::span(batch.bytes).subspan(taken));
    if (sent == 0) break;
    count_write(frames.subspan(taken, sent), stream_->last_write());
    taken += sent;
  }
  return taken;
}

void SseClient::count_write(std::span<const FramePtr> frames,
                            http::EventStream::Clock::time_point now) {
  std::size_t bytes = 0;
  for (const FramePtr& frame : frames) {
    bytes += frame->bytes.size();
    if (frame->record) told_ = frame->record->sequence;
    if (frame->committed != http::EventStream::Clock::time_point{}) {
      counters_.count_latency(now - frame->committed);
    }
  }
  counters_.deliveries.add(frames.size());
  counters_.bytes.add(bytes);
  counters_.writes.add(1);
}

void SseClient::tick(http::EventStream::Clock::time_point now,
                     http::EventStream::Clock::duration heartbeat,
                     http::EventStream::Clock::duration stall, const std::string& epoch) {
  if (stream_->is_stalled(now, stall)) {
    stream_->drop(http::StreamEnd::kStalled);
    return;
  }
  if (stream_->is_writing() || now - stream_->last_write() < heartbeat) return;
  std::string bytes(http::kHeartbeat);
  if (const Sequence position = subscription_->position();
      position > told_ && subscription_->queued_bytes() == 0) {
    bytes += cursor_frame({.sequence = position, .epoch = epoch});
    told_ = position;
  }
  counters_.heartbeats.add(1);
  stream_->send_own(std::move(bytes));
}

void SseClient::stream_ended(http::StreamEnd end) {
  if (end == http::StreamEnd::kStalled) {
    counters_.stalled.add(1);
    log()->warn("client {} at {} is removed as stalled: its writes made no progress", id_,
                address_);
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
