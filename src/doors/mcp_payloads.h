#pragma once
// A session's event as MCP clients receive it: a log message, made once for all of a shard.

#include "core/bytes.h"
#include "core/record.h"
#include "mcp/log_level.h"

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

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
  // Readers of a shard are at nearly the same place: a few of the newest are enough.
  static constexpr std::size_t kRemembered = 256;

  struct Made {
    Sequence sequence = kNoSequence;
    std::weak_ptr<const std::string> bytes;
  };

  std::array<Made, kRemembered> made_;
};

}  // namespace oriel
