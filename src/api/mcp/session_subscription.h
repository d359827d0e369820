#pragma once
// Passes on one session's records in order as they are committed.

#include "hub/hub.h"

#include <functional>
#include <memory>
#include <string>

namespace oriel {

// Lives on its shard. Unsubscribes when destroyed, also from within `on_record`.
class SessionSubscription : public std::enable_shared_from_this<SessionSubscription> {
 public:
  using OnRecord = std::function<void(const RecordPtr& record)>;

  // Calls `on_record` for each record of the session after that sequence.
  static std::shared_ptr<SessionSubscription> open(ShardHub& hub, const std::string& session_id,
                                                   Sequence after, OnRecord on_record);
  ~SessionSubscription();
  SessionSubscription(const SessionSubscription&) = delete;
  SessionSubscription& operator=(const SessionSubscription&) = delete;

  // The last sequence passed on.
  Sequence reached() const { return reached_; }

 private:
  SessionSubscription(ShardHub& hub, std::string session_id, Sequence after, OnRecord on_record);

  void subscribe();
  void drain();

  ShardHub& hub_;
  std::string session_id_;
  Sequence reached_;
  OnRecord on_record_;
  std::shared_ptr<Subscription> subscription_;
};

}  // namespace oriel
