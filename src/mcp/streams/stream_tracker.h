#pragma once
// The streams of one MCP session. A message is stored before it is sent, or can be read again from
// the stream's source, so a client can resume from its last event.

#include "base/id.h"
#include "mcp/streams/event_id.h"
#include "mcp/streams/event_store.h"
#include "mcp/streams/stream_connection.h"
#include "mcp/streams/stream_source.h"

#include <chrono>
#include <cstdint>
#include <functional>
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
  // A message that was written this long ago, to a connection that is still open, has arrived.
  std::chrono::milliseconds delivered_after{60'000};
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

// A place in a stream: after all events of its source up to `position`, and all messages that it
// stores up to `counter`.
struct StreamPlace {
  std::uint64_t position = 0;
  std::uint64_t counter = 0;

  // Moves each part forward to that of `other`.
  void advance(const StreamPlace& other);

  bool operator==(const StreamPlace&) const = default;
};

// Lives on its session's shard, owned by its StreamTracker.
class Stream {
 public:
  explicit Stream(EventStore& store) : log_(store) {}

  const std::string& id() const { return info_.id; }

  StreamKind kind() const { return info_.kind; }

  bool is_connected() const { return info_.is_connected; }

  bool is_finished() const { return info_.is_finished; }

 private:
  friend class StreamTracker;

  StreamLog log_;
  StreamInfo info_;
  std::string id_prefix_;     // of its event ids
  std::uint64_t stored_ = 0;  // counter of the newest message
  std::uint64_t shown_ = 0;   // position of the newest message that has one
  StreamPlace handed_;        // handed to the connection
  StreamPlace left_;          // written to a connection, not necessarily received
  StreamPlace settled_;       // acknowledged by the client, or reported as purged
  std::shared_ptr<StreamConnection> connection_;
  bool is_sending_ = false;       // a chunk is being written
  bool ends_connection_ = false;  // close the next connection after its first bytes

  // The standalone stream of a session with a source, while it is connected.
  std::unique_ptr<SourceReader> reader_;
  std::vector<SourceEvent> taken_;  // from the reader
  std::size_t next_taken_ = 0;      // the first that has not been handed yet

  // A restored request's stream: its messages up to this position were sent by another process.
  std::uint64_t sent_before_ = 0;

  // What had been written when the connection was last checked, and when that was.
  StreamPlace checked_;
  std::chrono::steady_clock::time_point checked_at_;
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
  StreamPlace after;
  std::uint64_t oldest = 0;  // of kPurged
  std::uint64_t newest = 0;
};

// What a restart must keep of a session's streams.
struct StreamsState {
  std::string standalone;       // its id; empty: a new one
  std::uint64_t position = 0;   // settled, of the standalone stream
  std::uint64_t processes = 0;  // that have had this session before
};

// Lives on the session's shard.
class StreamTracker {
 public:
  using Clock = std::chrono::steady_clock;

  // `source` belongs to the standalone stream; null: it has none. It, `session` and the others
  // outlive the tracker.
  StreamTracker(std::string_view session, EventStore& store, const StreamOptions& options,
                StreamSource* source = nullptr, const StreamsState& before = {});
  ~StreamTracker();  // drops connections
  StreamTracker(const StreamTracker&) = delete;
  StreamTracker& operator=(const StreamTracker&) = delete;

  // Makes the message that replaces purged ones; a null message replaces them with nothing.
  using MissedMessage = std::function<SharedMessage(std::uint64_t missed)>;

  void on_missed(MissedMessage missed) { missed_ = std::move(missed); }

  // Called when state() has changed.
  void on_change(std::function<void()> changed) { changed_ = std::move(changed); }

  // Called when the stream of a request is removed.
  void on_remove(std::function<void(const std::string& stream)> removed) {
    removed_ = std::move(removed);
  }

  StreamsState state() const;

  Stream& standalone() { return *standalone_; }

  bool is_full() const { return unfinished_ >= options_.max_streams; }

  // Opens the stream of a request with the JSON-RPC id `rpc`; again, if another process had it.
  Stream& open(std::string_view rpc, std::string id = random_id());

  // The id names a stream of this session that another process had, with a request of its own.
  bool is_lost_request(const EventId& id) const;

  Stream* find(std::string_view id);

  // Stores the message, and sends it when the connection is ready. On a request's stream,
  // `position` is that of the event it reports: after a restart it is not sent twice.
  void send(Stream& stream, SharedMessage message, EventKind kind = EventKind::kMessage,
            std::uint64_t position = 0);

  // Marks the stream complete: closes its connection after the last event and keeps the events for
  // resumption.
  void finish(Stream& stream);

  // The place before all messages of this process: that of a new stream.
  StreamPlace beginning() const;

  // Resolves a Last-Event-ID, which proves that the client has everything up to it.
  Resume resume(std::string_view last_event_id);

  // For a GET without Last-Event-ID: the standalone stream after the last settled event. Later
  // events are sent again, because the client has not acknowledged them.
  Resume resume_unnamed();

  // Sends everything after `after` on this connection, which replaces any other. Call on the
  // session's shard; the connection may live on another.
  void attach(Stream& stream, std::shared_ptr<StreamConnection> connection, StreamPlace after);

  // The priming event (id, no data) of a new connection, so that a client can resume even before
  // the first message.
  std::string priming(const Stream& stream, StreamPlace after) const;

  // Closes the current or next connection but not the stream: the client resumes.
  void end_connection(Stream& stream);

  // Ends all connections.
  void end_all();

  // Called by a connection through the session's shard.
  void connection_drained(std::string_view stream_id, const StreamConnection* connection);
  void connection_ended(std::string_view stream_id, const StreamConnection* connection);

  // Call about once a second. Settles what has arrived, and removes finished streams that were
  // disconnected longer than the time to live.
  void tick(Clock::time_point now);

  bool has_connection() const;
  std::vector<StreamInfo> list() const;

 private:
  struct BoundedChunk;

  std::unique_ptr<Stream> make(StreamKind kind, std::string_view rpc, std::string id);
  void pump(Stream& stream);
  Chunk next_chunk(Stream& stream);
  bool add_source_events(Stream& stream, std::uint64_t until, BoundedChunk& next);
  void skip_purged(Stream& stream, BoundedChunk& next);
  Resume resume_after(Stream& stream, StreamPlace after) const;
  void settle(Stream& stream, const StreamPlace& place);
  void settle_arrived(Stream& stream, Clock::time_point now);
  void expire(Clock::time_point now);
  void remove_oldest_finished();
  void remove(const std::string& id);
  static void detach(Stream& stream, bool discards_pending);
  void changed() const;

  std::string_view session_;  // its id
  EventStore& store_;
  const StreamOptions& options_;
  StreamSource* source_;
  std::uint64_t processes_;
  MissedMessage missed_;
  std::function<void()> changed_;
  std::function<void(const std::string&)> removed_;
  std::unique_ptr<Stream> standalone_;
  std::map<std::string, std::unique_ptr<Stream>, std::less<>> requests_;
  std::vector<std::string> finished_;  // oldest first
  std::size_t unfinished_ = 0;
};

}  // namespace oriel::mcp
