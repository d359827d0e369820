#pragma once
// The subscriptions of one shard.

#include "base/mutex.h"
#include "hub/delivery_coalescer.h"
#include "hub/subscription.h"
#include "journal/journal.h"
#include "runtime/task_group.h"

#include <functional>
#include <memory>
#include <vector>

namespace oriel {

struct HubOptions {
  std::size_t max_inbox_bytes = 256 << 10;  // waiting for one shard; beyond it the journal waits
  std::size_t max_page_bytes = 256 << 10;   // of one read during a replay
  std::chrono::microseconds max_coalescing_delay{2000};
};

struct HubCounts {
  std::uint64_t replays = 0;          // subscriptions that had to read the journal
  std::uint64_t replayed_frames = 0;  // read from it
  std::uint64_t gaps = 0;
  std::uint64_t demotions = 0;  // full queues whose subscriptions went back to the journal
};

// Lives on its shard; only publish() and counts() may be called on other threads.
class ShardHub {
 public:
  ShardHub(asio::any_io_executor shard, Journal& journal, HubOptions options);

  // Delivers every matching record after options.after: first from the journal, then live, each
  // exactly once. A subscriber that falls behind reads the journal again until it has caught up.
  std::shared_ptr<Subscription> subscribe(SubscribeOptions options, std::function<void()> on_ready);
  void unsubscribe(Subscription& subscription);

  // The newest sequence offered to this shard's subscriptions.
  Sequence head() const { return head_; }

  // Called in commit order on the journal's thread. Blocks while the inbox is full.
  void publish(const std::vector<FramePtr>& frames);

  HubCounts counts() const;

  // Waits for all replays. Unsubscribe everything first.
  asio::awaitable<void> joined() { return tasks_.joined(); }

 private:
  void drain();
  void deliver(const FrameBatch& batch);
  void offer(Subscription& subscription, const FrameBatch& batch);
  void demote(Subscription& subscription);
  void remove(std::size_t slot);
  asio::awaitable<void> replay(std::shared_ptr<Subscription> subscription);
  asio::awaitable<void> read_page(std::shared_ptr<Subscription> subscription, Sequence bound);
  std::vector<FramePtr> to_frames(const Page& page);

  asio::any_io_executor shard_;
  Journal& journal_;
  HubOptions options_;
  TaskGroup tasks_;
  std::vector<std::shared_ptr<Subscription>> subscriptions_;
  Sequence head_;
  bool delivering_ = false;
  bool closed_while_delivering_ = false;
  DeliveryCoalescer coalescer_;
  asio::steady_timer delay_;

  // The journal's thread fills the inbox. A mutex and not a post, because it must block while the
  // inbox is full.
  Mutex mutex_;
  ConditionVariable drained_;
  std::vector<FramePtr> inbox_ GUARDED_BY(mutex_);
  std::size_t inbox_bytes_ GUARDED_BY(mutex_) = 0;
  bool drain_is_posted_ GUARDED_BY(mutex_) = false;

  std::atomic<std::uint64_t> replays_{0};
  std::atomic<std::uint64_t> replayed_frames_{0};
  std::atomic<std::uint64_t> gaps_{0};
  std::atomic<std::uint64_t> demotions_{0};
};

}  // namespace oriel
