#pragma once
// The connection of a stream, which may live on another shard. The stream sends one chunk at a time
// and the next only when it was written, so a slow client costs one chunk.

#include "base/principal.h"
#include "http/event_stream.h"
#include "mcp/message.h"
#include "runtime/shards.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace oriel::mcp {

class StreamConnections;

// Bytes for one write. Joins short events, where a buffer each would cost more.
class Chunk {
 public:
  void add(std::string_view bytes) { tail_ += bytes; }

  void add(const SharedBytes& bytes);

  // Adds the message as the data of an event.
  void add_event(const Message& message);

  bool empty() const { return pieces_.empty() && tail_.empty(); }

  std::vector<SharedBytes> take();

 private:
  std::vector<SharedBytes> pieces_;
  std::string tail_;
};

// Lives on its connection's shard, held by StreamConnections until it ends.
class StreamConnection : public http::FrameSource,
                         public std::enable_shared_from_this<StreamConnection> {
 public:
  // Both are called on the connection's shard from the event loop, never re-entrantly.
  struct Owner {
    std::function<void()> drained;  // everything sent was written
    std::function<void()> ended;    // the last call, made once
  };

  StreamConnection(StreamConnections& all, Shard& shard, Principal principal)
      : all_(all), shard_(shard), principal_(std::move(principal)) {}

  void start(std::unique_ptr<http::Transport> connection, std::string first_bytes, Owner owner);

  void send(std::vector<SharedBytes> pieces);

  // Closes after everything sent was written.
  void finish();

  // Closes at once.
  void drop();

  Shard& shard() const { return shard_; }

  const Principal& principal() const { return principal_; }

 private:
  friend class StreamConnections;

  enum class Phase {
    kOpen,
    kFinishing,  // closes after everything sent was written
    kEnded,
  };

  void tick(http::EventStream::Clock::time_point now, http::EventStream::Clock::duration keep_alive,
            http::EventStream::Clock::duration stall);
  void take_frames(std::vector<SharedBytes>& frames, std::size_t max_frames,
                   std::size_t max_bytes) override;
  void stream_ended(http::StreamEnd end) override;
  void emptied();

  StreamConnections& all_;
  Shard& shard_;
  Principal principal_;
  Owner owner_;
  std::shared_ptr<http::EventStream> stream_;
  std::vector<SharedBytes> queue_;
  std::size_t taken_ = 0;      // prefix of queue_ already taken
  bool owes_drained_ = false;  // something was sent since the last `drained`
  bool emptied_is_posted_ = false;
  Phase phase_ = Phase::kOpen;
  std::size_t slot_ = 0;  // index in StreamConnections
};

// The stream connections of one shard.
class StreamConnections {
 public:
  std::shared_ptr<StreamConnection> make(Shard& shard, Principal principal);

  // Call about once a second: sends keep-alive comments and drops stalled clients.
  void tick(std::chrono::milliseconds keep_alive, std::chrono::milliseconds stall);

  void finish_all();
  void drop_all();

  // Drops those whose principal no longer has access.
  void drop_invalid(const std::function<bool(const Principal&)>& is_valid);

  // Thread-safe.
  std::size_t size() const { return size_.load(std::memory_order_relaxed); }

 private:
  friend class StreamConnection;

  void add(const std::shared_ptr<StreamConnection>& connection);
  void remove(StreamConnection& connection);

  std::vector<std::shared_ptr<StreamConnection>> open_;
  std::atomic<std::size_t> size_{0};
};

// "id: ...\n", the line before the data of an event.
std::string event_head(std::string_view id_prefix, std::uint64_t position, std::uint64_t counter);

}  // namespace oriel::mcp
