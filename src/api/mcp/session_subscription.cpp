#include "api/mcp/session_subscription.h"

#include "base/log.h"

#include <limits>

namespace oriel {
namespace {

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

}  // namespace

std::shared_ptr<SessionSubscription> SessionSubscription::open(ShardHub& hub,
                                                               const std::string& session_id,
                                                               Sequence after, OnFrame on_frame) {
  std::shared_ptr<SessionSubscription> opened(new SessionSubscription(
      hub, session_id, after, std::move(on_frame)));  // NOLINT(*-make-shared)
  opened->subscribe();
  return opened;
}

SessionSubscription::SessionSubscription(ShardHub& hub, std::string session_id, Sequence after,
                                         OnFrame on_frame)
    : hub_(hub),
      session_id_(std::move(session_id)),
      reached_(after),
      on_frame_(std::move(on_frame)) {}

SessionSubscription::~SessionSubscription() {
  hub_.unsubscribe(*subscription_);
}

void SessionSubscription::subscribe() {
  SubscribeOptions options;
  options.filter.sessions = {session_id_};
  options.after = reached_;
  subscription_ = hub_.subscribe(std::move(options), [this] { drain(); });
}

void SessionSubscription::drain() {
  const std::shared_ptr<SessionSubscription> self = shared_from_this();
  const std::shared_ptr<Subscription> source = subscription_;
  std::vector<FramePtr> frames;
  source->take(frames, kUnlimited, kUnlimited);
  for (const FramePtr& frame : frames) {
    if (self.use_count() == 1) return;
    if (frame->record) reached_ = frame->record->sequence;
    on_frame_(frame);
  }
  if (source->state() == SubscriptionState::kFailed)
    log()->error("session {}: pushing events has stopped: the journal cannot be read", session_id_);
}

}  // namespace oriel
