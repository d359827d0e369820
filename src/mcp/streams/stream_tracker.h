#pragma once
// The streams of one MCP session. Messages are stored before they are sent, so a client can resume
// from its last event.

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
  kStandalone,  // opened by GET; every session has one, connected or not
  kRequest,     // opened by the POST of a request; ends with its response
};

struct StreamOptions {
  std::string node;
  std::size_t max_streams = 16;  // of unanswered requests
  std::chrono::milliseconds ttl{600'000};
  std::chrono::milliseconds retry{1'000};
};

// Metadata of a stream.
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
  std::string id_prefix_;      // of its event ids
  std::uint64_t stored_ = 0;   // counter of the newest event
  std::uint64_t handed_ = 0;   // handed to the connection
  std::uint64_t left_ = 0;     // written to a connection, not necessarily received
  std::uint64_t settled_ = 0;  // acknowledged by the client, or reported as purged
  std::shared_ptr<StreamConnection> connection_;
  bool is_sending_ = false;       // a chunk is being written
  bool ends_connection_ = false;  // close the next connection after its first bytes
};

enum class ResumeOutcome {
  kAttach,  // connect, then attach()
  kDone,    // answered and fully received
  kPurged,
  kUnknown,  // not a stream of this session, or never an event of it
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
  ~StreamTracker();  // drops connections and clears the store
  StreamTracker(const StreamTracker&) = delete;
  StreamTracker& operator=(const StreamTracker&) = delete;

  Stream& standalone() { return *standalone_; }

  bool is_full() const { return unfinished_ >= options_.max_streams; }

  // Opens the stream of a request with the JSON-RPC id `rpc`.
  Stream& open(std::string_view rpc);

  Stream* find(std::string_view id);

  // Stores the message, and sends it when the connection is ready.
  void send(Stream& stream, SharedMessage message, EventKind kind = EventKind::kMessage);

  // Marks the stream complete: closes its connection after the last event and keeps the events for
  // resumption.
  void finish(Stream& stream);

  // Resolves a Last-Event-ID, which proves that the client has everything up to it.
  Resume resume(std::string_view last_event_id);

  // For a GET without Last-Event-ID: the standalone stream after the last settled event. Later
  // events are sent again, because the client has not acknowledged them.
  Resume resume_unnamed();

  // Sends everything after `after` on this connection, which replaces any other. Call on the
  // session's shard; the connection may live on another.
  void attach(Stream& stream, std::shared_ptr<StreamConnection> connection, std::uint64_t after);

  // The priming event (id, no data) of a new connection, so that a client can resume even before
  // the first message.
  std::string priming(const Stream& stream, std::uint64_t after) const;

  // Closes the current or next connection but not the stream: the client resumes.
  void end_connection(Stream& stream);

  // Ends all connections.
  void end_all();

  // Called by a connection through the session's shard.
  void connection_drained(std::string_view stream_id, const StreamConnection* connection);
  void connection_ended(std::string_view stream_id, const StreamConnection* connection);

  // Removes finished streams that were disconnected longer than the time to live.
  void expire(Clock::time_point now);

  bool has_connection() const;
  std::vector<StreamInfo> list() const;

 private:
  std::unique_ptr<Stream> make(StreamKind kind, std::string_view rpc);
  void pump(Stream& stream);
  static Resume resume_after(Stream& stream, std::uint64_t after);
  void remove_oldest_finished();
  void remove(const std::string& id);
  static void detach(Stream& stream, bool discards_pending);

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
