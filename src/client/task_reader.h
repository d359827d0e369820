#pragma once
// A turn's events from the server, each once and in order, whatever happens to the connection: they
// are asked for by index, so that a cut or a restart of the server loses none.

#include "client/server_access.h"

#include <boost/json/object.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace oriel {

struct TurnPlace {
  std::string session_id;
  std::string turn_id;            // events of other turns are passed over; empty: none are
  std::int64_t since_index = -1;  // the last event before the turn
  bool is_waiting = false;        // behind a turn at work
};

struct TurnOutput {
  std::function<bool(const boost::json::object&)> event;  // false: it was the last one
  std::function<void(const std::string&)> notice;         // of what happens to the connection
};

// Returns after the last event. The error says why there will be none: the server refuses, or the
// session is no longer at work. A server that is away or busy is tried again.
asio::awaitable<Result<void>> read_turn(ServerAccess server, TurnPlace place, TurnOutput output);

}  // namespace oriel
