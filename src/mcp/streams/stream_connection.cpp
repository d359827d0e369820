#include "mcp/streams/stream_connection.h"

#include "base/log.h"
#include "mcp/streams/event_id.h"

#include <boost/asio/post.hpp>
#include <spdlog/fmt/fmt.h>

namespace oriel::mcp {
namespace {

constexpr std::size_t kJoinBelow = 2048;
constexpr std::string_view kKeepAlive = ": keep-alive\n\n";

SharedBytes share(std::string bytes) {
  return std::make_shared<const std::string>(std::move(bytes));
}

}  // namespace

void Chunk::add(const SharedBytes& bytes) {
  if (bytes->size() < kJoinBelow) {
    tail_ += *bytes;
    return;
  }
  if (!tail_.empty()) pieces_.push_back(share(std::exchange(tail_, {})));
  pieces_.push_back(bytes);
}

void Chunk::add_event(const Message& message) {
  add("data: ");
  add(message.lead);
  if (message.shared) add(message.shared);
  add(message.rest);
  add("\n\n");
}

std::vector<SharedBytes> Chunk::take() {
  if (!tail_.empty()) pieces_.push_back(share(std::exchange(tail_, {})));
  return std::exchange(pieces_, {});
}

void StreamConnection::start(std::unique_ptr<http::Transport> connection, std::string first_bytes,
                             Owner owner) {
  owner_ = std::move(owner);
  stream_ = std::make_shared<http::EventStream>(std::move(connection), *this);
  all_.add(shared_from_this());
  owes_drained_ = true;
  stream_->start(std::move(first_bytes));
}

void StreamConnection::send(std::vector<SharedBytes> pieces) {
  if (phase_ == Phase::kEnded) return;
  owes_drained_ = true;
  if (queue_.empty()) {
    queue_ = std::move(pieces);
  } else {
    queue_.insert(queue_.end(), std::make_move_iterator(pieces.begin()),
                  std::make_move_iterator(pieces.end()));
  }
  stream_->wake();
}

void StreamConnection::finish() {
  if (phase_ == Phase::kEnded) return;
  phase_ = Phase::kFinishing;
  stream_->wake();
}

void StreamConnection::drop() {
  if (phase_ != Phase::kEnded) stream_->drop(http::StreamEnd::kDropped);
}

void StreamConnection::take_frames(std::vector<SharedBytes>& frames, std::size_t max_frames,
                                   std::size_t max_bytes) {
  std::size_t bytes = 0;
  for (; taken_ < queue_.size() && max_frames > 0 && bytes < max_bytes; ++taken_, --max_frames) {
    bytes += queue_[taken_]->size();
    frames.push_back(std::move(queue_[taken_]));
  }
  if (taken_ < queue_.size()) return;
  std::vector<SharedBytes>().swap(queue_);  // release memory while idle
  taken_ = 0;
  // The stream asks for more, so everything sent was written. Must not end the stream here.
  const bool has_news = owes_drained_ || phase_ == Phase::kFinishing;
  if (!frames.empty() || !has_news || emptied_is_posted_) return;
  emptied_is_posted_ = true;
  asio::post(shard_.executor(), [self = shared_from_this()] { self->emptied(); });
}

void StreamConnection::emptied() {
  emptied_is_posted_ = false;
  const bool has_more = taken_ < queue_.size() || phase_ == Phase::kEnded || stream_->is_writing();
  if (has_more) return;
  if (phase_ == Phase::kFinishing) return stream_->finish("");
  if (std::exchange(owes_drained_, false)) owner_.drained();
}

void StreamConnection::stream_ended(http::StreamEnd end) {
  phase_ = Phase::kEnded;
  if (end == http::StreamEnd::kStalled)
    log()->info("closing a stalled MCP stream; its client can resume from its last event");
  asio::post(shard_.executor(), [self = shared_from_this()] {
    self->all_.remove(*self);
    self->owner_.ended();
    self->owner_ = {};
    self->stream_.reset();
  });
}

void StreamConnection::tick(http::EventStream::Clock::time_point now,
                            http::EventStream::Clock::duration keep_alive,
                            http::EventStream::Clock::duration stall) {
  if (phase_ == Phase::kEnded) return;
  if (stream_->is_stalled(now, stall)) return stream_->drop(http::StreamEnd::kStalled);
  if (stream_->is_writing() || now - stream_->last_write() < keep_alive) return;
  stream_->send_own(std::string(kKeepAlive));
}

std::shared_ptr<StreamConnection> StreamConnections::make(Shard& shard, Principal principal) {
  return std::make_shared<StreamConnection>(*this, shard, std::move(principal));
}

void StreamConnections::add(const std::shared_ptr<StreamConnection>& connection) {
  connection->slot_ = open_.size();
  open_.push_back(connection);
  size_ = open_.size();
}

void StreamConnections::remove(StreamConnection& connection) {
  const std::size_t slot = connection.slot_;
  open_[slot] = std::move(open_.back());
  open_[slot]->slot_ = slot;
  open_.pop_back();
  size_ = open_.size();
}

void StreamConnections::tick(std::chrono::milliseconds keep_alive,
                             std::chrono::milliseconds stall) {
  const auto now = http::EventStream::Clock::now();
  for (const auto& connection : open_)
    connection->tick(now, keep_alive, stall);
}

void StreamConnections::finish_all() {
  for (const auto& connection : open_)
    connection->finish();
}

void StreamConnections::drop_all() {
  for (const auto& connection : open_)
    connection->drop();
}

void StreamConnections::drop_invalid(const std::function<bool(const Principal&)>& is_valid) {
  for (const auto& connection : open_) {
    if (!is_valid(connection->principal_)) connection->drop();
  }
}

std::string event_head(std::string_view id_prefix, std::uint64_t position, std::uint64_t counter) {
  return fmt::format("id: {}{}\n", id_prefix, counter_text(position, counter));
}

}  // namespace oriel::mcp
