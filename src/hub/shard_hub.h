#pragma once
// The subscriptions of one shard: what the journal announces comes in once and is offered to each
// of them.

#include "base/mutex.h"
#include "hub/delivery_pace.h"
#include "hub/subscription.h"
#include "journal/journal.h"
#include "runtime/task_group.h"

#include <functional>
#include <memory>
#include <vector>

namespace oriel {

struct HubOptions {
  std::size_t max_inbox_bytes = 256 << 10;  // waiting for one shard; then the journal waits
  std::size_t max_page_bytes = 256 << 10;
  std::chrono::microseconds longest_rest{2000};  // between deliveries
};

struct HubCounts {
  std::uint64_t replays = 0;          // subscriptions that had to read the journal
  std::uint64_t replayed_frames = 0;  // frames they were given from it
  std::uint64_t gaps = 0;
  std::uint64_t overflows = 0;
};

// Lives on its shard; only publish() and counts() may be called elsewhere.
class ShardHub {
 public:
  ShardHub(asio::any_io_executor shard, Journal& journal, const FrameFormat& format,
           HubOptions options);

  // Everything after options.after that matches, from the journal and then live, without a seam.
  std::shared_ptr<Subscription> subscribe(SubscribeOptions options, std::function<void()> on_ready);
  void unsubscribe(Subscription& subscription);

  // The newest sequence that this shard's subscriptions have been offered.
  Sequence head() const { return head_; }

  // Called in commit order on the journal's thread. Blocks while the inbox is full.
  void publish(const std::vector<FramePtr>& frames);

  HubCounts counts() const;

  // Returns once no replay runs: close the subscriptions first.
  asio::awaitable<void> joined() { return tasks_.joined(); }

 private:
  struct Slot {
    std::shared_ptr<Subscription> subscription;
    LiveReader::Memory touched;
  };

  void drain();
  static void prefetch(const Slot& slot);
  void deliver(const FrameBatch& batch);
  void offer(Subscription& subscription, const FrameBatch& batch);
  void forget(std::size_t slot);
  asio::awaitable<void> replay(std::shared_ptr<Subscription> subscription);
  asio::awaitable<bool> read_page(std::shared_ptr<Subscription> subscription, Sequence until);
  std::vector<FramePtr> to_frames(const Page& page);

  asio::any_io_executor shard_;
  Journal& journal_;
  const FrameFormat& format_;
  HubOptions options_;
  TaskGroup tasks_;
  std::vector<Slot> slots_;
  Sequence head_;
  bool delivering_ = false;
  bool closed_while_delivering_ = false;
  DeliveryPace pace_;
  asio::steady_timer rest_;

  // The inbox is filled by who commits; the journal's thread must be made to wait when it is full,
  // and a post cannot do that.
  Mutex mutex_;
  ConditionVariable drained_;
  std::vector<FramePtr> inbox_ GUARDED_BY(mutex_);
  std::size_t inbox_bytes_ GUARDED_BY(mutex_) = 0;
  bool drain_is_posted_ GUARDED_BY(mutex_) = false;

  std::atomic<std::uint64_t> replays_{0};
  std::atomic<std::uint64_t> replayed_frames_{0};
  std::atomic<std::uint64_t> gaps_{0};
  std::atomic<std::uint64_t> overflows_{0};
};

}  // namespace oriel
