#pragma once
// Fans committed records out to the subscriptions of all shards.

#include "hub/shard_hub.h"
#include "runtime/shards.h"

namespace oriel {

// Construct before the journal starts: it registers as the journal's listener.
class Hub {
 public:
  Hub(Shards& shards, Journal& journal, HubOptions options);

  ShardHub& on(const Shard& shard) { return *shard_hubs_[shard.index()]; }

  HubCounts counts() const;

 private:
  void publish(const std::vector<RecordPtr>& records);

  std::vector<std::unique_ptr<ShardHub>> shard_hubs_;
};

}  // namespace oriel
