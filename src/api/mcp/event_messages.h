#pragma once
// Session events as MCP notifications, encoded once per shard around the journal's bytes.

#include "base/event/record.h"
#include "hub/frame.h"
#include "mcp/log_level.h"
#include "mcp/message.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace oriel {

// kError for errors, kDebug for deltas, kInfo for all others.
mcp::LogLevel level_of(const Record& record);

// notifications/message with the event as its data. Its index is 0, as in every push; the real
// index and the sequence are in _meta. Shares the record's body.
mcp::Message event_message(const RecordPtr& record);

// A warning that events of the session are missing here, with the numbers of /api/events.
mcp::Message gap_message(const Gap& gap, const std::string& session_id);

// Lives on one shard. Holds weak references only: a message lives as long as its users.
class EventMessageCache {
 public:
  using Hold = std::function<mcp::SharedMessage(mcp::Message message)>;

  // `hold` charges a new message to a budget.
  mcp::SharedMessage get(const RecordPtr& record, const Hold& hold);

 private:
  static constexpr std::size_t kMinEvictionSize = 256;

  void evict_expired();

  std::unordered_map<Sequence, std::weak_ptr<const mcp::Message>> messages_;
  std::size_t evict_at_ = kMinEvictionSize;  // twice the live entries after the last eviction
};

}  // namespace oriel
