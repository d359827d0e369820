#pragma once
// The id of an event of an MCP stream, {session}-{stream}-{node}-{rpc}-{counter}: unique over all
// streams, and enough to resume from a Last-Event-ID. The counter of a stream with a source is
// {position}_{counter}: everything up to both has been sent.

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
  std::uint64_t position = 0;  // reached in the stream's source; 0: it has none
  std::uint64_t counter = 0;   // of the messages that the stream itself stores

  bool operator==(const EventId&) const = default;
};

// "42", or "1042_42" with a position.
std::string counter_text(std::uint64_t position, std::uint64_t counter);

// Encodes each field without dashes and line breaks: letters, digits and '_' are literal, any other
// byte is '.' and two hex digits.
std::string to_string(const EventId& id);

// Everything before the counter, including the dash: constant per stream.
std::string event_id_prefix(const EventId& id);

// Accepts any bytes; returns an id only if to_string() reproduces them, at most 1024 bytes. A
// stream with longer ids (a huge JSON-RPC id) cannot be resumed.
std::optional<EventId> parse_event_id(std::string_view text);

}  // namespace oriel::mcp
