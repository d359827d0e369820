#include "http/event_stream.h"

#include "base/failpoint.h"

#include <boost/container/static_vector.hpp>

#include <utility>

namespace oriel::http {
namespace {

// The most buffers that Asio hands to the kernel in one call.
constexpr std::size_t kMaxFrames = 63;
constexpr std::size_t kMaxBytes = 256 << 10;

// The kernel notices a peer that acknowledges nothing, even when no write is pending.
StreamEnd end_for(error_code ec) {
  return ec == asio::error::timed_out ? StreamEnd::kStalled : StreamEnd::kPeerClosed;
}

// An idle stream holds no memory; assigning an empty string would keep it.
void release(std::string& bytes) {
  std::string().swap(bytes);
}

}  // namespace

EventStream::EventStream(std::unique_ptr<Transport> connection, FrameSource& source)
    : connection_(std::move(connection)), source_(&source), last_write_(Clock::now()) {}

void EventStream::start(std::string first_bytes) {
  connection_->watch_peer(shared_from_this());
  own_bytes_ = std::move(first_bytes);
  flush();
}

void EventStream::send_own(std::string bytes) {
  if (is_writing_) return;
  own_bytes_ = std::move(bytes);
  flush();
}

void EventStream::finish(std::string last_bytes) {
  is_finishing_ = true;
  last_bytes_ = std::move(last_bytes);
  flush();
}

void EventStream::flush() {
  while (source_ != nullptr && !is_writing_) {
    sending_.clear();
    if (is_finishing_) {
      own_bytes_ += std::exchange(last_bytes_, {});
    } else {
      source_->take_frames(sending_, kMaxFrames, kMaxBytes);
    }
    if (own_bytes_.empty() && sending_.empty()) {
      if (is_finishing_) drop(StreamEnd::kFinished);
      return;
    }
    boost::container::static_vector<asio::const_buffer, kMaxFrames + 1> buffers;
    if (!own_bytes_.empty()) buffers.push_back(asio::buffer(own_bytes_));
    for (const SharedBytes& frame : sending_)
      buffers.push_back(asio::buffer(*frame));
    if (send(buffers) == WriteOutcome::kDone) release(own_bytes_);
  }
}

std::size_t EventStream::send_now(std::span<const SharedBytes> frames) {
  if (source_ == nullptr || is_writing_) return 0;
  boost::container::static_vector<asio::const_buffer, kMaxFrames> buffers;
  for (std::size_t bytes = 0; const SharedBytes& frame : frames) {
    if (bytes >= kMaxBytes || buffers.size() == kMaxFrames) break;
    buffers.push_back(asio::buffer(*frame));
    bytes += frame->size();
  }
  const auto taken = frames.first(buffers.size());
  if (send(buffers) == WriteOutcome::kPending) sending_.assign(taken.begin(), taken.end());
  return taken.size();
}

WriteOutcome EventStream::send(std::span<const asio::const_buffer> buffers) {
  last_write_ = last_progress_ = Clock::now();
  ORIEL_FAILPOINT(kStreamBefore);
  const WriteOutcome outcome = connection_->send(buffers);
  ORIEL_FAILPOINT(kStreamAfter);
  is_writing_ = outcome == WriteOutcome::kPending;
  if (outcome == WriteOutcome::kFailed) drop(StreamEnd::kPeerClosed);
  return outcome;
}

void EventStream::write_finished(error_code ec) {
  is_writing_ = false;
  release(own_bytes_);
  if (ec) {
    drop(end_for(ec));
  } else {
    flush();
  }
}

void EventStream::peer_closed(error_code ec) {
  drop(end_for(ec));
}

void EventStream::drop(StreamEnd why) {
  FrameSource* const source = std::exchange(source_, nullptr);
  if (source == nullptr) return;
  connection_->close();
  source->stream_ended(why);
}

bool EventStream::is_stalled(Clock::time_point now, Clock::duration limit) {
  if (!is_writing_) return false;
  if (const std::uint64_t waiting = connection_->bytes_unacknowledged();
      waiting != unacknowledged_) {
    unacknowledged_ = waiting;
    last_progress_ = now;
  }
  return now - last_progress_ >= limit;
}

std::string sse_frame(std::string_view id, std::string_view event, std::string_view data) {
  std::string frame;
  frame.reserve(id.size() + event.size() + data.size() + 24);
  if (!id.empty()) (frame += "id: ").append(id) += '\n';
  (frame += "event: ").append(event) += '\n';
  (frame += "data: ").append(data) += "\n\n";
  return frame;
}

}  // namespace oriel::http
