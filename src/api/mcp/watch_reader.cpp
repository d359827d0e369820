#include "api/mcp/watch_reader.h"

#include "base/log.h"

#include <boost/asio/post.hpp>

#include <algorithm>

namespace oriel {
namespace {

constexpr std::size_t kMaxQueuedBytes = 256 << 10;
constexpr std::chrono::seconds kRereadAfter{1};

mcp::SharedMessage shared_message(mcp::Message message) {
  return std::make_shared<const mcp::Message>(std::move(message));
}

}  // namespace

WatchReader::WatchReader(SessionWatcher& watcher, Sequence after, std::function<void()> on_ready)
    : watcher_(watcher), on_ready_(std::move(on_ready)), passed_(after) {
  watcher_.reader_ = this;
  subscribe(after);
}

WatchReader::~WatchReader() {
  *is_alive_ = false;
  unsubscribe();
  if (watcher_.reader_ == this) watcher_.reader_ = nullptr;
}

void WatchReader::subscribe(Sequence after) {
  SubscribeOptions options;
  options.filter.sessions = watcher_.readable();
  options.after = after;
  options.max_queued_bytes = kMaxQueuedBytes;
  if (options.filter.sessions.empty()) return;
  subscription_ = watcher_.hub_.subscribe(std::move(options), [this] { ready(); });
}

void WatchReader::unsubscribe() {
  if (subscription_) watcher_.hub_.unsubscribe(*subscription_);
  subscription_.reset();
}

// What was taken but not passed on is read again.
void WatchReader::resubscribe() {
  const bool has_more = subscription_ && subscription_->queued_bytes() > 0;
  if (!has_more) passed_ = position();
  unsubscribe();
  frames_.clear();
  next_ = 0;
  is_undecided_ = false;
  subscribe(passed_);
}

std::uint64_t WatchReader::position() const {
  if (next_ < frames_.size()) return passed_;
  return std::max(passed_, subscription_ ? subscription_->position() : watcher_.head());
}

void WatchReader::take(std::vector<mcp::SourceEvent>& events, std::size_t max_events,
                       std::size_t max_bytes) {
  std::size_t bytes = 0;
  is_undecided_ = false;
  while (events.size() < max_events && bytes < max_bytes) {
    if (next_ == frames_.size()) {
      frames_.clear();
      next_ = 0;
      if (subscription_) subscription_->take(frames_, max_events, max_bytes);
      if (frames_.empty()) return;
    }
    const std::size_t before = events.size();
    if (!offer(frames_[next_], events)) return;
    if (events.size() > before) bytes += events.back().message->size();
    ++next_;
  }
}

// Appends the event if it belongs to this stream. Returns false if that is not decided yet.
bool WatchReader::offer(const FramePtr& frame, std::vector<mcp::SourceEvent>& events) {
  if (!frame->record) {
    const auto sessions = watcher_.watched();
    const std::string session = sessions.size() == 1 ? sessions.front() : std::string();
    if (watcher_.wants(mcp::LogLevel::kWarning))
      events.push_back(
          {.position = 0, .message = shared_message(gap_message(frame->gap, session))});
    return true;
  }
  const Record& record = *frame->record;
  const SessionWatcher::Place place = watcher_.place_of(record.session_id, record.sequence);
  if (place == SessionWatcher::Place::kUndecided) {
    is_undecided_ = true;
    return false;
  }
  passed_ = record.sequence;
  if (place == SessionWatcher::Place::kHere && watcher_.wants(level_of(record)))
    events.push_back({.position = record.sequence,
                      .message = watcher_.messages_.get(frame->record, shared_message)});
  if (record.type == event::SessionEnded::kFeedType)
    watcher_.ended(record.session_id, record.sequence);
  return true;
}

void WatchReader::decided() {
  if (!is_undecided_) return;
  is_undecided_ = false;
  asio::post(watcher_.shard_, [this, is_alive = is_alive_] {
    if (*is_alive) on_ready_();
  });
}

void WatchReader::ready() {
  if (subscription_->state() == SubscriptionState::kFailed) return retry_later();
  on_ready_();
}

void WatchReader::retry_later() {
  log()->error("an MCP stream waits: the journal cannot be read");
  retry_ = std::make_unique<asio::steady_timer>(watcher_.shard_, kRereadAfter);
  retry_->async_wait([this, is_alive = is_alive_](error_code ec) {
    if (ec || !*is_alive) return;
    resubscribe();
  });
}

}  // namespace oriel
