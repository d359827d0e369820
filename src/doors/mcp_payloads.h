#pragma once
// A session's event as MCP clients receive it: a log message, made once for all of a shard.

#include "core/bytes.h"
#include "core/record.h"
#include "mcp/log_level.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace oriel {

// The event's own type, whatever it is called on /api/events.
std::string_view type_of(const Record& record);

// error for what went wrong, debug for pieces of text, info for everything else.
LogLevel level_of(const Record& record);

// notifications/message with the event as its data. The index in it is 0, as in every push; the
// true one and the sequence are in _meta.
std::string event_message(const Record& record);

// Lives on one shard. Keeps nothing alive: it knows those that somebody still holds.
class McpPayloads {
 public:
  using Hold = std::function<SharedBytes(std::string bytes)>;

  // `hold` takes new bytes into somebody's account.
  SharedBytes get(const Record& record, const Hold& hold);

 private:
  static constexpr std::size_t kForgetAtLeast = 256;

  void forget_unheld();

  std::unordered_map<Sequence, std::weak_ptr<const std::string>> made_;
  std::size_t forget_at_ = kForgetAtLeast;  // twice what somebody still held the last time
};

}  // namespace oriel
