#pragma once
// From one recorded event to many readers, on all shards.

#include "hub/shard_hub.h"
#include "runtime/shards.h"

namespace oriel {

// Owned by the app, built before the journal starts. Makes each record's frame once, on the thread
// that commits it, and hands it to every shard.
class Hub {
 public:
  Hub(Shards& shards, Journal& journal, FrameFormat format, HubOptions options);

  ShardHub& on(const Shard& shard) { return *shard_hubs_[shard.index()]; }

  HubCounts counts() const;

 private:
  void publish(const std::vector<RecordPtr>& records);

  FrameFormat format_;
  std::vector<std::unique_ptr<ShardHub>> shard_hubs_;
};

}  // namespace oriel
