#pragma once
// The connection that a stream's events leave on. Its stream may live on another shard, and hands
// it one chunk at a time: the next follows when this one has left, so that a slow client costs a
// chunk and nothing else.

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

// What leaves in one go. Short events are joined: a buffer of their own would cost more.
class Chunk {
 public:
  void add(std::string_view bytes) { tail_ += bytes; }

  void add(const SharedBytes& bytes);

  // The message as the data of an event, and its end.
  void add_event(const Message& message);

  bool empty() const { return pieces_.empty() && tail_.empty(); }

  std::vector<SharedBytes> take();

 private:
  std::vector<SharedBytes> pieces_;
  std::string tail_;
};

// Lives on its connection's shard, held by its StreamConnections until it has ended.
class StreamConnection : public http::FrameSource,
                         public std::enable_shared_from_this<StreamConnection> {
 public:
  // Both are called on the connection's shard, from its loop: never from within a call to it.
  struct Owner {
    std::function<void()> drained;  // all that was sent has left
    std::function<void()> ended;    // once, as the last call
  };

  StreamConnection(StreamConnections& all, Shard& shard) : all_(all), shard_(shard) {}

  void start(std::unique_ptr<http::Transport> connection, std::string first_bytes, Owner owner);

  void send(std::vector<SharedBytes> pieces);

  // Ends it once all that was sent has left.
  void finish();

  // Ends it at once.
  void drop();

  Shard& shard() const { return shard_; }

 private:
  friend class StreamConnections;

  void tick(http::EventStream::Clock::time_point now, http::EventStream::Clock::duration keep_alive,
            http::EventStream::Clock::duration stall);
  void take_frames(std::vector<SharedBytes>& frames, std::size_t max_frames,
                   std::size_t max_bytes) override;
  void stream_ended(http::StreamEnd end) override;
  void emptied();

  StreamConnections& all_;
  Shard& shard_;
  Owner owner_;
  std::shared_ptr<http::EventStream> stream_;
  std::vector<SharedBytes> queue_;
  std::size_t taken_ = 0;      // of the queue
  bool owes_drained_ = false;  // something was sent since the owner was told
  bool emptied_is_posted_ = false;
  bool is_finishing_ = false;
  bool is_ended_ = false;
  std::size_t slot_ = 0;  // where its StreamConnections keeps it
};

// The connections of one shard: ticks them, and ends them all.
class StreamConnections {
 public:
  std::shared_ptr<StreamConnection> make(Shard& shard);

  // To be called about once a second: comments into silence, and the end of stalled clients.
  void tick(std::chrono::milliseconds keep_alive, std::chrono::milliseconds stall);

  void finish_all();
  void drop_all();

  // May be asked on any thread.
  std::size_t size() const { return size_.load(std::memory_order_relaxed); }

 private:
  friend class StreamConnection;

  void add(const std::shared_ptr<StreamConnection>& connection);
  void remove(StreamConnection& connection);

  std::vector<std::shared_ptr<StreamConnection>> open_;
  std::atomic<std::size_t> size_{0};
};

// "id: ...\n", the line before the data of an event.
std::string event_head(std::string_view id_prefix, std::uint64_t counter);

}  // namespace oriel::mcp
