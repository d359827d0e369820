#pragma once
// Server-sent events on one connection. Everything queued leaves in one gathered write, so events
// share writes as soon as the client or the machine falls behind.

#include "base/bytes.h"
#include "http/transport/transport.h"

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oriel::http {

enum class StreamEnd {
  kPeerClosed,  // the client disconnected, or a write failed
  kStalled,     // writes made no progress for too long
  kFinished,    // finish() was called and everything was written
  kDropped,     // drop() was called
};

// Supplies a stream with frames and is notified of its end. Lives on the stream's shard.
class FrameSource {
 public:
  virtual ~FrameSource() = default;

  // Appends queued frames to `frames`; appends none when the queue is empty.
  virtual void take_frames(std::vector<SharedBytes>& frames, std::size_t max_frames,
                           std::size_t max_bytes) = 0;

  // The last call, made once. Must not destroy the stream, which may still be on the call stack.
  virtual void stream_ended(StreamEnd end) = 0;
};

// Lives on its connection's shard, held by shared_ptr. Allocates nothing per event in steady state.
class EventStream : public StreamObserver, public std::enable_shared_from_this<EventStream> {
 public:
  using Clock = std::chrono::steady_clock;

  EventStream(std::unique_ptr<Transport> connection, FrameSource& source);

  // Sends the response head and the first frames together, then what the source has queued.
  void start(std::string first_bytes);

  // Call when the source may have queued frames.
  void wake() { flush(); }

  // Sends as many of these frames as one write takes and returns how many; 0 while a write is
  // pending. For a source with nothing queued.
  std::size_t send_now(std::span<const SharedBytes> frames);

  // Sends bytes that are not from the source, such as a heartbeat. Skipped while a write is
  // pending: the peer receives bytes anyway.
  void send_own(std::string bytes);

  // Sends these bytes after the pending write and closes. Frames still queued are not sent.
  void finish(std::string last_bytes);

  // Closes at once.
  void drop(StreamEnd why);

  // True once a write has made no progress for `limit`. Call it regularly: it compares with the
  // previous call.
  bool is_stalled(Clock::time_point now, Clock::duration limit);

  bool is_writing() const { return is_writing_; }

  Clock::time_point last_write() const { return last_write_; }

  std::uint64_t bytes_sent() const { return connection_->bytes_sent(); }

  void write_finished(error_code ec) override;
  void peer_closed(error_code ec) override;

 private:
  void flush();
  WriteOutcome send(std::span<const asio::const_buffer> buffers);

  std::unique_ptr<Transport> connection_;
  FrameSource* source_;  // null once ended
  Clock::time_point last_write_;
  Clock::time_point last_progress_;
  bool is_writing_ = false;
  bool is_finishing_ = false;
  std::vector<SharedBytes> sending_;
  std::string own_bytes_;   // sent before sending_; empty unless a write is pending
  std::string last_bytes_;  // passed to finish()
  std::uint64_t unacknowledged_ = 0;
};

// "id: ...\nevent: ...\ndata: ...\n\n"; an empty id omits its line. `data` must not contain a
// line break.
std::string sse_frame(std::string_view id, std::string_view event, std::string_view data);

constexpr std::string_view kHeartbeat = ": heartbeat\n\n";

}  // namespace oriel::http
