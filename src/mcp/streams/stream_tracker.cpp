#include "mcp/streams/stream_tracker.h"

#include "base/id.h"
#include "mcp/streams/event_id.h"

#include <boost/asio/dispatch.hpp>
#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace oriel::mcp {
namespace {

constexpr std::size_t kChunkEvents = 512;
constexpr std::size_t kChunkBytes = 256 << 10;
constexpr std::size_t kMaxFinished = 64;  // answered streams kept per session for resumption

// Runs on the connection's shard; in place if already there.
template <class Action>
void on_shard_of(const std::shared_ptr<StreamConnection>& connection, Action action) {
  asio::dispatch(connection->shard().executor(),
                 [connection, action = std::move(action)]() mutable { action(*connection); });
}

}  // namespace

StreamTracker::StreamTracker(std::string session, Shard& shard, EventStore& store,
                             const StreamOptions& options)
    : session_(std::move(session)),
      shard_(shard),
      store_(store),
      options_(options),
      standalone_(make(StreamKind::kStandalone, "")) {}

StreamTracker::~StreamTracker() {
  end_all();
  store_.clear_session(session_);
}

void StreamTracker::end_all() {
  detach(*standalone_, false);
  for (auto& [id, stream] : requests_)
    detach(*stream, false);
}

std::unique_ptr<Stream> StreamTracker::make(StreamKind kind, std::string_view rpc) {
  std::string id = random_id();
  auto stream = std::make_unique<Stream>(store_.open(session_, id));
  const auto now = Clock::now();
  stream->info_ = {.id = std::move(id), .kind = kind, .created = now, .last_activity = now};
  stream->id_prefix_ = event_id_prefix({.session = session_,
                                        .stream = stream->info_.id,
                                        .node = options_.node,
                                        .rpc = std::string(rpc)});
  return stream;
}

Stream& StreamTracker::open(std::string_view rpc) {
  auto stream = make(StreamKind::kRequest, rpc);
  Stream& opened = *stream;
  requests_.emplace(opened.id(), std::move(stream));
  ++unfinished_;
  return opened;
}

Stream* StreamTracker::find(std::string_view id) {
  if (id == standalone_->id()) return standalone_.get();
  const auto found = requests_.find(id);
  return found == requests_.end() ? nullptr : found->second.get();
}

void StreamTracker::send(Stream& stream, SharedMessage message, EventKind kind) {
  stream.log_.append(++stream.stored_, std::move(message), kind);
  stream.info_.last_activity = Clock::now();
  pump(stream);
}

void StreamTracker::finish(Stream& stream) {
  if (stream.info_.is_finished) return;
  stream.info_.is_finished = true;
  stream.info_.last_activity = Clock::now();
  --unfinished_;
  finished_.push_back(stream.id());
  pump(stream);
  if (finished_.size() > kMaxFinished) remove_oldest_finished();
}

// Sends one chunk at a time; later events wait in the store for the next.
void StreamTracker::pump(Stream& stream) {
  if (!stream.connection_ || stream.is_sending_) return;
  if (stream.handed_ == stream.stored_) {
    if (stream.info_.is_finished)
      on_shard_of(stream.connection_, [](StreamConnection& c) { c.finish(); });
    return;
  }
  const EventsAfter next = stream.log_.events_after(stream.handed_, kChunkEvents, kChunkBytes);
  if (next.is_purged) return detach(stream, true);  // the client gets 410 when it resumes
  Chunk chunk;
  for (const StoredEvent& event : next.events) {
    chunk.add(event_head(stream.id_prefix_, event.counter));
    chunk.add_event(*event.message);
    stream.handed_ = event.counter;
  }
  stream.is_sending_ = true;
  on_shard_of(stream.connection_, [pieces = chunk.take()](StreamConnection& connection) mutable {
    connection.send(std::move(pieces));
  });
}

Resume StreamTracker::resume(std::string_view last_event_id) {
  const auto id = parse_event_id(last_event_id);
  if (!id || id->session != session_) return {};
  Stream* const stream = find(id->stream);
  const bool is_known = stream != nullptr && id->counter <= stream->stored_ &&
                        last_event_id.starts_with(stream->id_prefix_);
  if (!is_known) return {};
  stream->settled_ = std::max(stream->settled_, id->counter);
  if (stream->info_.is_finished && id->counter == stream->stored_)
    return {.outcome = ResumeOutcome::kDone, .stream = stream, .after = id->counter};
  return resume_after(*stream, id->counter);
}

Resume StreamTracker::resume_unnamed() {
  Stream& stream = *standalone_;
  // What was written and then evicted has probably arrived, and cannot be sent again.
  const std::uint64_t written_and_gone = std::min(stream.left_, stream.log_.purged());
  return resume_after(stream, std::max(stream.settled_, written_and_gone));
}

Resume StreamTracker::resume_after(Stream& stream, std::uint64_t after) {
  Resume resume{.outcome = ResumeOutcome::kAttach, .stream = &stream, .after = after};
  const EventsAfter next = stream.log_.events_after(after, 1, 1);
  if (next.is_purged) {
    resume.outcome = ResumeOutcome::kPurged;
    resume.oldest = next.oldest;
    resume.newest = next.newest;
    // Reported once: a later GET without an event id continues with the oldest stored event.
    stream.settled_ = std::max(stream.settled_, stream.log_.purged());
  }
  return resume;
}

void StreamTracker::attach(Stream& stream, std::shared_ptr<StreamConnection> connection,
                           std::uint64_t after) {
  detach(stream, true);
  stream.connection_ = std::move(connection);
  stream.info_.is_connected = true;
  stream.info_.last_activity = Clock::now();
  stream.handed_ = after;
  if (std::exchange(stream.ends_connection_, false)) return detach(stream, false);
  pump(stream);
}

std::string StreamTracker::priming(const Stream& stream, std::uint64_t after) const {
  return fmt::format("id: {}{}\nretry: {}\ndata: \n\n", stream.id_prefix_, after,
                     options_.retry.count());
}

// `discards_pending`: closes without flushing, for a connection that may be dead.
void StreamTracker::detach(Stream& stream, bool discards_pending) {
  stream.is_sending_ = false;
  stream.info_.is_connected = false;
  stream.info_.last_activity = Clock::now();
  if (!stream.connection_) return;
  on_shard_of(stream.connection_, [discards_pending](StreamConnection& connection) {
    discards_pending ? connection.drop() : connection.finish();
  });
  stream.connection_.reset();
}

void StreamTracker::end_connection(Stream& stream) {
  if (!stream.connection_) stream.ends_connection_ = true;
  detach(stream, false);
}

void StreamTracker::connection_drained(std::string_view stream_id,
                                       const StreamConnection* connection) {
  Stream* const stream = find(stream_id);
  if (stream == nullptr || stream->connection_.get() != connection) return;
  stream->is_sending_ = false;
  stream->left_ = std::max(stream->left_, stream->handed_);
  stream->log_.mark_sent(stream->left_);
  pump(*stream);
}

void StreamTracker::connection_ended(std::string_view stream_id,
                                     const StreamConnection* connection) {
  Stream* const stream = find(stream_id);
  if (stream != nullptr && stream->connection_.get() == connection) detach(*stream, true);
}

void StreamTracker::expire(Clock::time_point now) {
  const auto is_old = [&](const std::string& id) {
    const StreamInfo& info = requests_.at(id)->info_;
    return !info.is_connected && now - info.last_activity >= options_.ttl;
  };
  for (auto& id : finished_) {
    if (!is_old(id)) continue;
    remove(id);
    id.clear();
  }
  std::erase_if(finished_, [](const std::string& id) { return id.empty(); });
}

void StreamTracker::remove_oldest_finished() {
  remove(finished_.front());
  finished_.erase(finished_.begin());
}

void StreamTracker::remove(const std::string& id) {
  const auto found = requests_.find(id);
  detach(*found->second, true);
  requests_.erase(found);
  store_.clear_stream(session_, id);
}

bool StreamTracker::has_connection() const {
  return standalone_->is_connected() ||
         std::any_of(requests_.begin(), requests_.end(),
                     [](const auto& entry) { return entry.second->is_connected(); });
}

std::vector<StreamInfo> StreamTracker::list() const {
  std::vector<StreamInfo> all = {standalone_->info_};
  for (const auto& [id, stream] : requests_)
    all.push_back(stream->info_);
  return all;
}

}  // namespace oriel::mcp
