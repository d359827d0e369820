#include "hub/shard_hub.h"

#include "base/failpoint.h"
#include "base/log.h"

#include <boost/asio/post.hpp>

#include <span>
#include <utility>

namespace oriel {
namespace {

// Lets events be committed after a page's bound was noted.
constexpr std::chrono::milliseconds kMutantDelay{20};

}  // namespace

ShardHub::ShardHub(asio::any_io_executor shard, Journal& journal, HubOptions options)
    : shard_(shard),
      journal_(journal),
      options_(options),
      tasks_(shard),
      head_(journal.head()),
      coalescer_(options.max_coalescing_delay),
      delay_(shard) {}

std::shared_ptr<Subscription> ShardHub::subscribe(SubscribeOptions options,
                                                  std::function<void()> on_ready) {
  auto subscription = std::make_shared<Subscription>(std::move(options), std::move(on_ready));
  subscription->slot_ = subscriptions_.size();
  subscriptions_.push_back(subscription);
  if (subscription->position_ >= head_) {
    subscription->state_ = SubscriptionState::kLive;
  } else {
    replays_.fetch_add(1, std::memory_order_relaxed);
    tasks_.spawn("replay", replay(subscription));
  }
  return subscription;
}

void ShardHub::unsubscribe(Subscription& subscription) {
  if (subscription.state_ == SubscriptionState::kClosed) return;
  subscription.end(SubscriptionState::kClosed);
  subscription.on_ready_ = nullptr;
  if (delivering_) {
    closed_while_delivering_ = true;
  } else {
    remove(subscription.slot_);
  }
}

void ShardHub::remove(std::size_t slot) {
  std::swap(subscriptions_[slot], subscriptions_.back());
  subscriptions_[slot]->slot_ = slot;
  subscriptions_.pop_back();
}

void ShardHub::publish(const std::vector<FramePtr>& frames) {
  std::size_t bytes = 0;
  for (const FramePtr& frame : frames)
    bytes += frame->cost();
  {
    const MutexLock lock(mutex_);
    while (inbox_bytes_ >= options_.max_inbox_bytes)
      drained_.wait(mutex_);
    inbox_.insert(inbox_.end(), frames.begin(), frames.end());
    inbox_bytes_ += bytes;
    if (std::exchange(drain_is_posted_, true)) return;
  }
  asio::post(shard_, [this] { drain(); });
}

void ShardHub::drain() {
  const auto begin = DeliveryCoalescer::Clock::now();
  if (begin < coalescer_.next()) {
    delay_.expires_at(coalescer_.next());
    delay_.async_wait([this](error_code ec) {
      if (!ec) drain();
    });
    return;
  }
  std::vector<FramePtr> frames;
  {
    const MutexLock lock(mutex_);
    frames.swap(inbox_);
    inbox_bytes_ = 0;
    drain_is_posted_ = false;
  }
  drained_.notify_one();
  deliver(FrameBatch(std::move(frames)));
  coalescer_.delivered(begin, DeliveryCoalescer::Clock::now());
}

void ShardHub::deliver(const FrameBatch& batch) {
  head_ = batch.frames().back()->record->sequence;
  delivering_ = true;
  // By index: on_ready() may subscribe another one.
  std::size_t next = 0;
  while (next < subscriptions_.size()) {
    // Stays valid if on_ready() unsubscribes it: none is removed during a delivery.
    Subscription& subscription = *subscriptions_[next++];
    if (subscription.is_ended()) continue;
    offer(subscription, batch);
    const bool is_ready = subscription.queued_bytes_ > 0 || subscription.is_ended();
    if (is_ready && subscription.on_ready_) subscription.on_ready_();
  }
  delivering_ = false;
  if (!std::exchange(closed_while_delivering_, false)) return;
  for (std::size_t slot = subscriptions_.size(); slot-- > 0;) {
    if (subscriptions_[slot]->state_ == SubscriptionState::kClosed) remove(slot);
  }
}

void ShardHub::offer(Subscription& subscription, const FrameBatch& batch) {
  const std::size_t sent = subscription.send_live(batch);
  for (const FramePtr& frame : std::span(batch.frames()).subspan(sent)) {
    if (subscription.offer(frame)) continue;
    // The subscriber has not yet had a chance to take what this batch has queued.
    if (subscription.on_ready_) subscription.on_ready_();
    if (subscription.offer(frame)) continue;
    demote(subscription);
    return;
  }
}

// From here on the subscriber reads the journal, which has the frame too, at its own pace.
void ShardHub::demote(Subscription& subscription) {
  demotions_.fetch_add(1, std::memory_order_relaxed);
  subscription.return_to_journal();
  tasks_.spawn("replay", replay(subscriptions_[subscription.slot_]));
}

asio::awaitable<void> ShardHub::replay(std::shared_ptr<Subscription> subscription) {
  Subscription& reader = *subscription;
  asio::steady_timer resume(shard_, asio::steady_timer::time_point::max());
  reader.resume_replay_ = &resume;
  try {
    while (!reader.is_ended() && reader.state_ != SubscriptionState::kLive) {
      if (reader.must_pause_replay()) {
        co_await resume.async_wait(kNoThrow);
        continue;
      }
      co_await read_page(subscription, reader.begin_page(head_));
      if (!reader.is_ended() && reader.on_ready_) reader.on_ready_();
    }
  } catch (const std::exception& failure) {
    log()->error("replay after {} failed: {}", reader.position_, failure.what());
    if (!reader.is_ended()) reader.end(SubscriptionState::kFailed);
  }
  reader.resume_replay_ = nullptr;
  if (reader.state_ == SubscriptionState::kFailed && reader.on_ready_) reader.on_ready_();
}

// Queues the next page up to `bound`.
asio::awaitable<void> ShardHub::read_page(std::shared_ptr<Subscription> subscription,
                                          Sequence bound) {
  ReadQuery query{
      .after = subscription->position_, .until = bound, .filter = subscription->filter()};
  if (ORIEL_MUTANT(kReplayWithoutBound)) {
    query.until = kMaxSequence;
    asio::steady_timer late(shard_, kMutantDelay);
    co_await late.async_wait(kNoThrow);
  }
  query.max_bytes = std::min(options_.max_page_bytes, subscription->options_.max_queued_bytes / 2);
  if (query.after >= bound) co_return subscription->end_page({}, query.after, bound);
  const Page page = co_await journal_.read(std::move(query));
  if (!subscription->is_ended()) subscription->end_page(to_frames(page), page.scanned_until, bound);
}

std::vector<FramePtr> ShardHub::to_frames(const Page& page) {
  std::vector<FramePtr> frames;
  frames.reserve(page.records.size() + 1);
  if (page.missed > 0 && !ORIEL_MUTANT(kForgetGap)) {
    gaps_.fetch_add(1, std::memory_order_relaxed);
    Gap gap{.oldest = journal_.oldest(), .head = journal_.head(), .missed = page.missed};
    // Retention may have removed more since the page was read.
    if (!page.records.empty()) gap.oldest = std::min(gap.oldest, page.records[0]->sequence);
    frames.push_back(std::make_shared<const Frame>(gap));
  }
  for (const RecordPtr& record : page.records)
    frames.push_back(std::make_shared<const Frame>(record));
  replayed_frames_.fetch_add(page.records.size(), std::memory_order_relaxed);
  return frames;
}

HubCounts ShardHub::counts() const {
  return {.replays = replays_.load(std::memory_order_relaxed),
          .replayed_frames = replayed_frames_.load(std::memory_order_relaxed),
          .gaps = gaps_.load(std::memory_order_relaxed),
          .demotions = demotions_.load(std::memory_order_relaxed)};
}

}  // namespace oriel
