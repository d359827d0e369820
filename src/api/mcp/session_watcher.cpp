#include "api/mcp/session_watcher.h"

namespace oriel {

bool SessionWatcher::watch(const std::string& session_id, Sequence after) {
  Watch& watch = watches_[session_id];
  if (watch.is_wanted) return false;
  watch.is_wanted = true;
  watch.reached = std::max(watch.reached, after);
  if (watch.claims.empty()) subscribe(session_id, watch);
  return true;
}

bool SessionWatcher::unwatch(const std::string& session_id) {
  const auto found = watches_.find(session_id);
  if (found == watches_.end() || !found->second.is_wanted) return false;
  found->second.is_wanted = false;
  found->second.subscription.reset();
  if (found->second.claims.empty()) watches_.erase(found);
  return true;
}

std::vector<std::string> SessionWatcher::watched() const {
  std::vector<std::string> ids;
  for (const auto& [id, watch] : watches_) {
    if (watch.is_wanted) ids.push_back(id);
  }
  return ids;
}

void SessionWatcher::subscribe(const std::string& session_id, Watch& watch) {
  watch.subscription = SessionSubscription::open(
      hub_, session_id, watch.reached,
      [this, session_id](const FramePtr& frame) { on_frame(session_id, frame); });
}

void SessionWatcher::on_frame(const std::string& session_id, const FramePtr& frame) {
  deliver_(session_id, frame);
  if (frame->record && frame->record->type == event::SessionEnded::kFeedType) unwatch(session_id);
}

TaskClaim::TaskClaim(std::shared_ptr<SessionWatcher> watcher, std::string session_id)
    : watcher_(std::move(watcher)), session_id_(std::move(session_id)), changed_(watcher_->shard_) {
  SessionWatcher::Watch& watch = watcher_->watches_[session_id_];
  watch.claims.push_back(this);
  if (watch.claims.size() > 1) return;
  if (watch.subscription) watch.reached = watch.subscription->reached();
  watch.subscription.reset();
  reached_ = watch.reached;
  is_granted_ = true;
}

TaskClaim::~TaskClaim() {
  const auto found = watcher_->watches_.find(session_id_);
  SessionWatcher::Watch& watch = found->second;
  watch.claims.remove(this);
  if (!is_granted_) return;
  watch.reached = reached_;
  if (!watch.claims.empty()) {
    TaskClaim& next = *watch.claims.front();
    next.reached_ = reached_;
    next.is_granted_ = true;
    next.changed_.notify();
  } else if (watch.is_wanted) {
    watcher_->subscribe(session_id_, watch);
  } else {
    watcher_->watches_.erase(found);
  }
}

asio::awaitable<void> TaskClaim::granted() {
  while (!is_granted_)
    co_await changed_.wait();
}

}  // namespace oriel
