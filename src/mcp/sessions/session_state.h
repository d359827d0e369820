#pragma once
// A session and a call as an Archive keeps them. Pure.

#include "base/principal.h"
#include "base/time.h"
#include "mcp/log_level.h"
#include "mcp/rpc.h"
#include "mcp/streams/stream_tracker.h"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel::mcp {

// The client as described in initialize.
struct ClientHello {
  std::string version;  // negotiated
  boost::json::object info;
  boost::json::object capabilities;
};

struct SessionState {
  std::string id;
  Principal principal;
  ClientHello hello;
  std::optional<LogLevel> log_level;
  std::vector<std::string> subscriptions;
  StreamsState streams;
  boost::json::object companion;
  std::optional<WallTime> used;  // when its client last did; none: an earlier version has stored it
};

// A call that can be run again. Its stream's id is its own.
struct CallState {
  std::string id;
  RpcRequest request;
  std::vector<std::string> questions;  // that the client has not answered
};

// The keys of an archive begin with these.
inline constexpr std::string_view kSessionKeys = "mcp/session/";
inline constexpr std::string_view kCallKeys = "mcp/call/";

std::string session_key(std::string_view session);  // "mcp/session/{session}"
std::string call_key(std::string_view session,
                     std::string_view call);  // "mcp/call/{session}/{call}"

std::string serialize(const SessionState& state);
std::string serialize(const CallState& call);

// None for text that serialize() does not write.
std::optional<SessionState> parse_session_state(std::string_view text);
std::optional<CallState> parse_call_state(std::string_view text);

// As part of a state. The address is not kept.
boost::json::object to_json(const Principal& principal);
Principal read_principal(const boost::json::object& from);

}  // namespace oriel::mcp
