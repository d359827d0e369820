#pragma once
// Server-sent events on one connection. Everything its source has queued leaves in one gathered
// write, so several events share a write as soon as the client or the machine is slower than the
// events.

#include "base/bytes.h"
#include "base/cache_line.h"
#include "http/transport.h"

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oriel::http {

enum class StreamEnd {
  kPeerClosed,  // the client went, or a write failed
  kStalled,     // its writes made no progress for too long
  kFinished,    // finish() was asked and everything has left
  kDropped,     // drop() was asked
};

// Where a stream gets its frames, and whom it tells of its end. Lives on the stream's shard.
class FrameSource {
 public:
  virtual ~FrameSource() = default;

  // Moves frames to the end of `frames`; none means that nothing is queued.
  virtual void take_frames(std::vector<SharedBytes>& frames, std::size_t max_frames,
                           std::size_t max_bytes) = 0;

  // Once, as the last call. The stream may still be on the call stack: it must not be destroyed
  // from here.
  virtual void stream_ended(StreamEnd end) = 0;
};

// Lives on its connection's shard, held by shared_ptr. Nothing in it allocates per event once it is
// warm.
class alignas(kCacheLine) EventStream : public StreamObserver,
                                        public std::enable_shared_from_this<EventStream> {
 public:
  using Clock = std::chrono::steady_clock;

  EventStream(std::unique_ptr<Transport> connection, FrameSource& source);

  // Sends the head of the response and the first frames together, then whatever the source has.
  void start(std::string first_bytes);

  // There may be something to take.
  void wake() { flush(); }

  // Sends what one write holds of these, from the first, and says how many: none while a write is
  // under way. For a source that has frames at hand and nothing queued.
  std::size_t send_now(std::span<const SharedBytes> frames);

  // Sends bytes of the stream's own, such as a heartbeat. Left out while a write is under way: the
  // peer gets bytes anyway.
  void say(std::string bytes);

  // Sends these bytes after what is being written, and closes. What the source still has is left
  // out.
  void finish(std::string last_bytes);

  // Closes at once.
  void drop(StreamEnd why);

  // True once a write has made no progress for `limit`. To be asked regularly: it compares with the
  // last time.
  bool is_stalled(Clock::time_point now, Clock::duration limit);

  bool is_writing() const { return is_writing_; }

  Clock::time_point last_write() const { return last_write_; }

  const Transport* connection() const { return connection_.get(); }

  std::uint64_t bytes_sent() const { return connection_->bytes_sent(); }

  void write_finished(error_code ec) override;
  void peer_closed(error_code ec) override;

 private:
  void flush();
  WriteOutcome send(std::span<const asio::const_buffer> buffers);

  // What a write touches comes first, in one line of the cache.
  std::unique_ptr<Transport> connection_;
  FrameSource* source_;  // none once ended
  Clock::time_point last_write_;
  Clock::time_point last_progress_;
  bool is_writing_ = false;
  bool is_finishing_ = false;
  std::vector<SharedBytes> sending_;
  std::string own_bytes_;   // leave before sending_; empty unless a write is under way
  std::string last_bytes_;  // of finish()
  std::uint64_t unacknowledged_ = 0;
};

// "id: ...\nevent: ...\ndata: ...\n\n"; the id line is left out when empty. `data` holds no line
// break.
std::string sse_frame(std::string_view id, std::string_view event, std::string_view data);

constexpr std::string_view kHeartbeat = ": heartbeat\n\n";

}  // namespace oriel::http
