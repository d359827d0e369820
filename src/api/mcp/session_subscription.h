#pragma once
// Passes on one session's records in order as they are committed, and gaps between them.

#include "hub/hub.h"

#include <functional>
#include <memory>
#include <string>

namespace oriel {

// Lives on its shard. Unsubscribes when destroyed, also from within `on_frame`.
class SessionSubscription : public std::enable_shared_from_this<SessionSubscription> {
 public:
  using OnFrame = std::function<void(const FramePtr& frame)>;

  // Calls `on_frame` for each record of the session after that sequence, and for each gap.
  static std::shared_ptr<SessionSubscription> open(ShardHub& hub, const std::string& session_id,
                                                   Sequence after, OnFrame on_frame);
  ~SessionSubscription();
  SessionSubscription(const SessionSubscription&) = delete;
  SessionSubscription& operator=(const SessionSubscription&) = delete;

  // The last sequence passed on.
  Sequence reached() const { return reached_; }

 private:
  SessionSubscription(ShardHub& hub, std::string session_id, Sequence after, OnFrame on_frame);

  void subscribe();
  void drain();

  ShardHub& hub_;
  std::string session_id_;
  Sequence reached_;
  OnFrame on_frame_;
  std::shared_ptr<Subscription> subscription_;
};

}  // namespace oriel
