#pragma once
// A session's event as MCP clients receive it: a log message around the journal's own bytes, made
// once for all of a shard.

#include "base/record.h"
#include "mcp/log_level.h"
#include "mcp/message.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace oriel {

// The event's own type, whatever it is called on /api/events.
std::string_view type_of(const Record& record);

// error for what went wrong, debug for pieces of text, info for everything else.
mcp::LogLevel level_of(const Record& record);

// notifications/message with the event as its data. The index in it is 0, as in every push; the
// true one and the sequence are in _meta. Shares the record's body.
mcp::Message event_message(const RecordPtr& record);

// Lives on one shard. Keeps nothing alive: it knows those that somebody still holds.
class McpPayloads {
 public:
  using Hold = std::function<mcp::SharedMessage(mcp::Message message)>;

  // `hold` takes a new one into somebody's account.
  mcp::SharedMessage get(const RecordPtr& record, const Hold& hold);

 private:
  static constexpr std::size_t kForgetAtLeast = 256;

  void forget_unheld();

  std::unordered_map<Sequence, std::weak_ptr<const mcp::Message>> made_;
  std::size_t forget_at_ = kForgetAtLeast;  // twice what somebody still held the last time
};

}  // namespace oriel
