#include "mcp/streams/stream_tracker.h"

#include <boost/asio/dispatch.hpp>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <limits>

namespace oriel::mcp {
namespace {

constexpr std::size_t kChunkEvents = 512;
constexpr std::size_t kChunkBytes = 256 << 10;
constexpr std::size_t kMaxFinished = 64;  // answered streams kept per session for resumption
constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
constexpr unsigned kProcessBits = 32;  // counters of the n-th process begin at n << kProcessBits

// Runs on the connection's shard; in place if already there.
template <class Action>
void on_shard_of(const std::shared_ptr<StreamConnection>& connection, Action action) {
  asio::dispatch(connection->shard().executor(),
                 [connection, action = std::move(action)]() mutable { action(*connection); });
}

// Whether the standalone stream is that of before a restart, and the client's event ids are known.
// A source that numbers its events anew makes it another.
bool continues(const StreamsState& before, const StreamSource* source) {
  return !before.standalone.empty() && (source == nullptr || !source->is_renumbered());
}

}  // namespace

// A chunk and what its limits leave for more events.
struct StreamTracker::BoundedChunk {
  Chunk chunk;
  std::size_t events = kChunkEvents;
  std::size_t bytes = kChunkBytes;

  bool is_full() const { return events == 0 || bytes == 0; }

  void add(const Stream& stream, const Message& message) {
    chunk.add(event_head(stream.id_prefix_, stream.handed_.position, stream.handed_.counter));
    chunk.add_event(message);
    --events;
    bytes -= std::min(bytes, message.size());
  }
};

void StreamPlace::advance(const StreamPlace& other) {
  position = std::max(position, other.position);
  counter = std::max(counter, other.counter);
}

StreamTracker::StreamTracker(std::string_view session, EventStore& store,
                             const StreamOptions& options, StreamSource* source,
                             const StreamsState& before)
    : session_(session),
      store_(store),
      options_(options),
      source_(source),
      processes_(before.standalone.empty() ? 0 : before.processes + 1),
      standalone_(make(StreamKind::kStandalone, "",
                       continues(before, source) ? before.standalone : random_id())) {
  if (source_ == nullptr) return;
  standalone_->settled_.position = continues(before, source) ? before.position : source_->head();
}

StreamsState StreamTracker::state() const {
  return {.standalone = standalone_->id(),
          .position = standalone_->settled_.position,
          .processes = processes_};
}

void StreamTracker::changed() const {
  if (changed_) changed_();
}

StreamTracker::~StreamTracker() {
  end_all();
}

void StreamTracker::end_all() {
  detach(*standalone_, false);
  for (auto& [id, stream] : requests_)
    detach(*stream, false);
}

std::unique_ptr<Stream> StreamTracker::make(StreamKind kind, std::string_view rpc, std::string id) {
  auto stream = std::make_unique<Stream>(store_);
  const auto now = Clock::now();
  stream->info_ = {.id = std::move(id), .kind = kind, .created = now, .last_activity = now};
  stream->id_prefix_ = event_id_prefix({.session = std::string(session_),
                                        .stream = stream->info_.id,
                                        .node = options_.node,
                                        .rpc = std::string(rpc)});
  stream->stored_ = beginning().counter;
  stream->settled_.counter = stream->stored_;
  stream->log_.continue_after(stream->stored_);
  return stream;
}

StreamPlace StreamTracker::beginning() const {
  return {.position = 0, .counter = processes_ << kProcessBits};
}

Stream& StreamTracker::open(std::string_view rpc, std::string id) {
  auto stream = make(StreamKind::kRequest, rpc, std::move(id));
  Stream& opened = *stream;
  requests_.emplace(opened.id(), std::move(stream));
  ++unfinished_;
  return opened;
}

bool StreamTracker::is_lost_request(const EventId& id) const {
  return id.session == session_ && id.node == options_.node && !id.rpc.empty() &&
         id.counter < beginning().counter && !requests_.contains(id.stream);
}

Stream* StreamTracker::find(std::string_view id) {
  if (id == standalone_->id()) return standalone_.get();
  const auto found = requests_.find(id);
  return found == requests_.end() ? nullptr : found->second.get();
}

void StreamTracker::send(Stream& stream, SharedMessage message, EventKind kind,
                         std::uint64_t position) {
  if (source_ != nullptr && stream.kind() == StreamKind::kStandalone) {
    // Its place among the events of the source, the same for each connection.
    const std::uint64_t now = stream.reader_ ? stream.reader_->position() : source_->head();
    stream.shown_ = std::max(stream.shown_, now);
    position = stream.shown_;
  }
  stream.log_.append(++stream.stored_, std::move(message), kind, position);
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

// Sends one chunk at a time; later events wait in the store or the source for the next.
void StreamTracker::pump(Stream& stream) {
  if (!stream.connection_ || stream.is_sending_) return;
  Chunk chunk = next_chunk(stream);
  if (chunk.empty()) {
    if (stream.info_.is_finished)
      on_shard_of(stream.connection_, [](StreamConnection& c) { c.finish(); });
    return;
  }
  stream.is_sending_ = true;
  on_shard_of(stream.connection_, [pieces = chunk.take()](StreamConnection& connection) mutable {
    connection.send(std::move(pieces));
  });
}

Chunk StreamTracker::next_chunk(Stream& stream) {
  BoundedChunk next;
  skip_purged(stream, next);
  const EventsAfter own =
      stream.log_.events_after(stream.handed_.counter, kChunkEvents, kChunkBytes);
  for (const StoredEvent& event : own.events) {
    const bool has_reached = add_source_events(stream, event.position, next);
    if (!has_reached || next.is_full()) return std::move(next.chunk);
    stream.handed_.counter = event.counter;
    if (event.position != 0 && event.position <= stream.sent_before_) continue;
    stream.handed_.position = std::max(stream.handed_.position, event.position);
    next.add(stream, *event.message);
  }
  if (stream.handed_.counter == stream.stored_) add_source_events(stream, kAll, next);
  return std::move(next.chunk);
}

// Adds the events of the source up to `until`. Returns whether it has come that far.
bool StreamTracker::add_source_events(Stream& stream, std::uint64_t until, BoundedChunk& next) {
  if (!stream.reader_) return true;
  while (!next.is_full()) {
    if (stream.next_taken_ == stream.taken_.size()) {
      std::vector<SourceEvent>().swap(stream.taken_);  // release memory while idle
      stream.next_taken_ = 0;
      stream.reader_->take(stream.taken_, next.events, next.bytes);
      if (stream.taken_.empty()) return stream.reader_->position() >= until;
    }
    const SourceEvent& event = stream.taken_[stream.next_taken_];
    if (event.position > until) return true;
    stream.handed_.position = std::max(stream.handed_.position, event.position);
    next.add(stream, *event.message);
    ++stream.next_taken_;
  }
  return false;
}

// A client whose messages were evicted before it read them is notified and continues with the
// oldest that is left.
void StreamTracker::skip_purged(Stream& stream, BoundedChunk& next) {
  const std::uint64_t purged = stream.log_.purged();
  if (purged <= stream.handed_.counter) return;
  const std::uint64_t missed = purged - stream.handed_.counter;
  stream.handed_.counter = purged;
  if (const SharedMessage message = missed_ ? missed_(missed) : nullptr) next.add(stream, *message);
}

Resume StreamTracker::resume(std::string_view last_event_id) {
  const auto id = parse_event_id(last_event_id);
  if (!id || id->session != session_) return {};
  Stream* const stream = find(id->stream);
  if (stream == nullptr || id->counter > stream->stored_ ||
      !last_event_id.starts_with(stream->id_prefix_))
    return {};
  const bool is_request = stream->kind() == StreamKind::kRequest;
  const std::uint64_t newest_position = source_ == nullptr ? 0 : source_->head();
  if (!is_request && id->position > newest_position) return {};
  const std::uint64_t first_counter = beginning().counter;
  if (is_request && id->counter < first_counter)
    stream->sent_before_ = std::max(stream->sent_before_, id->position);
  // A client may have lost what its last connection sent.
  const StreamPlace after{.position = id->position,
                          .counter = std::max(id->counter, first_counter)};
  settle(*stream, after);
  if (stream->info_.is_finished && after.counter == stream->stored_)
    return {.outcome = ResumeOutcome::kDone, .stream = stream, .after = after};
  return resume_after(*stream, after);
}

Resume StreamTracker::resume_unnamed() {
  Stream& stream = *standalone_;
  // What was written and then evicted has probably arrived, and cannot be sent again.
  const std::uint64_t written_and_gone = std::min(stream.left_.counter, stream.log_.purged());
  StreamPlace after = stream.settled_;
  after.counter = std::max(after.counter, written_and_gone);
  return {.outcome = ResumeOutcome::kAttach, .stream = &stream, .after = after};
}

// Purged messages end only a stream that has nothing else: a request still has its response, and a
// source its events.
Resume StreamTracker::resume_after(Stream& stream, StreamPlace after) const {
  Resume resume{.outcome = ResumeOutcome::kAttach, .stream = &stream, .after = after};
  const EventsAfter next = stream.log_.events_after(after.counter, 1, 1);
  if (next.is_purged && stream.kind() == StreamKind::kStandalone && source_ == nullptr) {
    resume.outcome = ResumeOutcome::kPurged;
    resume.oldest = next.oldest;
    resume.newest = next.newest;
    // Reported once: a later GET without an event id continues with the oldest stored event.
    stream.settled_.counter = std::max(stream.settled_.counter, stream.log_.purged());
  }
  return resume;
}

void StreamTracker::settle(Stream& stream, const StreamPlace& place) {
  const StreamPlace before = stream.settled_;
  stream.settled_.advance(place);
  if (source_ == nullptr || stream.kind() == StreamKind::kRequest) return;
  if (stream.settled_.position == before.position) return;
  source_->settled(stream.settled_.position);
  changed();
}

void StreamTracker::attach(Stream& stream, std::shared_ptr<StreamConnection> connection,
                           StreamPlace after) {
  detach(stream, true);
  stream.connection_ = std::move(connection);
  stream.info_.is_connected = true;
  stream.info_.last_activity = Clock::now();
  stream.handed_ = after;
  stream.checked_ = {};
  stream.checked_at_ = stream.info_.last_activity;
  if (std::exchange(stream.ends_connection_, false)) return detach(stream, false);
  if (source_ != nullptr && stream.kind() == StreamKind::kStandalone)
    stream.reader_ = source_->read_after(after.position, [this, &stream] { pump(stream); });
  pump(stream);
}

std::string StreamTracker::priming(const Stream& stream, StreamPlace after) const {
  return fmt::format("id: {}{}\nretry: {}\ndata: \n\n", stream.id_prefix_,
                     counter_text(after.position, after.counter), options_.retry.count());
}

// `discards_pending`: closes without flushing, for a connection that may be dead.
void StreamTracker::detach(Stream& stream, bool discards_pending) {
  stream.is_sending_ = false;
  stream.reader_.reset();
  std::vector<SourceEvent>().swap(stream.taken_);
  stream.next_taken_ = 0;
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
  stream->left_.advance(stream->handed_);
  stream->log_.mark_sent(stream->left_.counter);
  pump(*stream);
}

void StreamTracker::connection_ended(std::string_view stream_id,
                                     const StreamConnection* connection) {
  Stream* const stream = find(stream_id);
  if (stream != nullptr && stream->connection_.get() == connection) detach(*stream, true);
}

void StreamTracker::tick(Clock::time_point now) {
  settle_arrived(*standalone_, now);
  expire(now);
}

void StreamTracker::settle_arrived(Stream& stream, Clock::time_point now) {
  if (!stream.is_connected() || now - stream.checked_at_ < options_.delivered_after) return;
  settle(stream, std::exchange(stream.checked_, stream.left_));
  stream.checked_at_ = now;
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
  if (removed_) removed_(id);
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
