#pragma once
// The id of an event of an MCP stream: {session}-{stream}-{node}-{rpc}-{counter}. It names its
// stream, so that a client's Last-Event-ID says where to go on, and is unique over all streams.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace oriel::mcp {

struct EventId {
  std::string session;
  std::string stream;
  std::string node;
  std::string rpc;  // the JSON-RPC id of the request that opened the stream; empty for a GET
  std::uint64_t counter = 0;

  bool operator==(const EventId&) const = default;
};

// Each field encoded so that it holds no dash and nothing that could break an SSE line: letters,
// digits and '_' stand for themselves, any other byte is '.' and two hex digits.
std::string to_string(const EventId& id);

// Everything but the counter, dash included: the same for all events of a stream.
std::string event_id_prefix(const EventId& id);

// Total: any bytes give an id that to_string gives back as it came, or none. What is longer than
// 1024 bytes is none: a stream whose ids would be longer (its request has a huge JSON-RPC id)
// cannot be resumed.
std::optional<EventId> parse_event_id(std::string_view text);

}  // namespace oriel::mcp
