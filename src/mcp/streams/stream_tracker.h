#pragma once
// The streams of one MCP session: each with an id of its own, stored before it is sent, and resumed
// from whatever its client saw last.

#include "mcp/streams/event_store.h"
#include "mcp/streams/stream_connection.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace oriel::mcp {

enum class StreamKind {
  kStandalone,  // opened by GET; every session has one, with or without a connection
  kRequest,     // opened by the POST of a request, and over with its response
};

struct StreamOptions {
  std::string node;
  std::size_t max_streams = 16;  // of requests that are not answered yet
  std::chrono::milliseconds ttl{600'000};
  std::chrono::milliseconds retry{1'000};
};

// What can be told of a stream.
struct StreamInfo {
  std::string id;
  StreamKind kind = StreamKind::kStandalone;
  std::chrono::steady_clock::time_point created;
  std::chrono::steady_clock::time_point last_activity;
  bool is_connected = false;
  bool is_finished = false;
};

// Lives on its session's shard, owned by its StreamTracker.
class Stream {
 public:
  explicit Stream(StreamLog& log) : log_(log) {}

  const std::string& id() const { return info_.id; }

  StreamKind kind() const { return info_.kind; }

  bool is_connected() const { return info_.is_connected; }

  bool is_finished() const { return info_.is_finished; }

 private:
  friend class StreamTracker;

  StreamLog& log_;
  StreamInfo info_;
  std::string id_prefix_;     // of its events' ids
  std::uint64_t stored_ = 0;  // counter of the newest event
  std::uint64_t handed_ = 0;  // to the connection
  std::uint64_t left_ = 0;    // all up to here has been written to some connection
  std::shared_ptr<StreamConnection> connection_;
  bool is_sending_ = false;       // the connection has a chunk that has not left yet
  bool ends_connection_ = false;  // the next one too, after its first bytes
};

enum class ResumeOutcome {
  kAttach,  // connect, then attach()
  kDone,    // answered, and all of it was received
  kPurged,
  kUnknown,  // no stream of this session, or an event that it never had
};

struct Resume {
  ResumeOutcome outcome = ResumeOutcome::kUnknown;
  Stream* stream = nullptr;
  std::uint64_t after = 0;
  std::uint64_t oldest = 0;  // of kPurged
  std::uint64_t newest = 0;
};

// Lives on the session's shard.
class StreamTracker {
 public:
  using Clock = std::chrono::steady_clock;

  StreamTracker(std::string session, Shard& shard, EventStore& store, const StreamOptions& options);
  ~StreamTracker();  // drops the connections and clears the store
  StreamTracker(const StreamTracker&) = delete;
  StreamTracker& operator=(const StreamTracker&) = delete;

  Stream& standalone() { return *standalone_; }

  bool is_full() const { return unfinished_ >= options_.max_streams; }

  // The stream of a request, whose JSON-RPC id is `rpc`.
  Stream& open(std::string_view rpc);

  Stream* find(std::string_view id);

  // Stores it, and sends it as soon as the connection is free.
  void send(Stream& stream, SharedMessage message, EventKind kind = EventKind::kMessage);

  // No more will come: its connection is ended after the last event, and it is kept for its client
  // to come back.
  void finish(Stream& stream);

  // What a Last-Event-ID asks for.
  Resume resume(std::string_view last_event_id);

  // Sends everything after `after` on this connection, which takes over from any other. To be
  // called on the session's shard with a connection that may be of another.
  void attach(Stream& stream, std::shared_ptr<StreamConnection> connection, std::uint64_t after);

  // Where a client goes on that names no event: after what has left.
  std::uint64_t left(const Stream& stream) const { return stream.left_; }

  // The first bytes on a new connection: an event with an id and no data, so that a client that is
  // cut off before the first message can come back.
  std::string priming(const Stream& stream, std::uint64_t after) const;

  // Ends the connection, or the next one if there is none yet, and not the stream: its client is to
  // come back.
  void end_connection(Stream& stream);

  // Ends all connections.
  void end_all();

  // Told by a connection, by way of the session's shard.
  void connection_drained(std::string_view stream_id, const StreamConnection* connection);
  void connection_ended(std::string_view stream_id, const StreamConnection* connection);

  // Forgets finished streams without a connection for longer than the time to live.
  void expire(Clock::time_point now);

  bool has_connection() const;
  std::vector<StreamInfo> list() const;

 private:
  std::unique_ptr<Stream> make(StreamKind kind, std::string_view rpc);
  void pump(Stream& stream);
  void forget_oldest_finished();
  void forget(const std::string& id);
  static void detach(Stream& stream, bool is_rude);

  std::string session_;
  Shard& shard_;
  EventStore& store_;
  const StreamOptions& options_;
  std::unique_ptr<Stream> standalone_;
  std::map<std::string, std::unique_ptr<Stream>, std::less<>> requests_;
  std::vector<std::string> finished_;  // oldest first
  std::size_t unfinished_ = 0;
};

}  // namespace oriel::mcp
