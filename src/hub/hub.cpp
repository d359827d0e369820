#include "hub/hub.h"

namespace oriel {

Hub::Hub(Shards& shards, Journal& journal, HubOptions options) {
  for (auto& shard : shards)
    shard_hubs_.push_back(std::make_unique<ShardHub>(shard->executor(), journal, options));
  journal.on_commit([this](const std::vector<RecordPtr>& records) { publish(records); });
}

void Hub::publish(const std::vector<RecordPtr>& records) {
  const auto now = Frame::Clock::now();
  std::vector<FramePtr> frames;
  frames.reserve(records.size());
  for (const RecordPtr& record : records) {
    if (record->event_type != EventType::kAudit)
      frames.push_back(std::make_shared<const Frame>(record, now));
  }
  if (frames.empty()) return;
  for (auto& shard_hub : shard_hubs_)
    shard_hub->publish(frames);
}

HubCounts Hub::counts() const {
  HubCounts sum;
  for (const auto& shard_hub : shard_hubs_) {
    const HubCounts counts = shard_hub->counts();
    sum.replays += counts.replays;
    sum.replayed_frames += counts.replayed_frames;
    sum.gaps += counts.gaps;
    sum.demotions += counts.demotions;
  }
  return sum;
}

}  // namespace oriel
