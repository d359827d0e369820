#pragma once
// The messages of a takeover between two processes: JSON objects, one per line. Pure.
//
//   new process                 running server
//   take_over        ->
//                    <-         offer, with its listeners; or refusal
//   drain            ->         it ends its streams, stops its agents and closes the journal
//                    <-         released
//   ready            ->         it exits
//
// Until `drain` the running server changes nothing. If the new process goes away between `drain`
// and `ready`, the other one serves again, with the listeners that it has kept.

#include "base/error.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace oriel {

constexpr int kTakeoverProtocol = 1;

struct TakeoverRequest {
  int protocol = kTakeoverProtocol;
  std::string version;  // of Oriel

  bool operator==(const TakeoverRequest&) const = default;
};

// Comes with the listeners: that of TCP, then that of the Unix socket if there is one.
struct TakeoverOffer {
  std::int64_t process = 0;
  std::string version;
  int schema = 0;                             // of the journal; 0: it is in memory
  std::chrono::milliseconds stops_within{0};  // --shutdown-timeout
  std::filesystem::path socket;               // absolute; empty: there is no Unix socket
  bool owns_socket_file = false;              // else a service manager does

  bool operator==(const TakeoverOffer&) const = default;
};

struct DrainRequest {
  bool takes_socket_file = false;  // the new process uses it, and removes it at its end

  bool operator==(const DrainRequest&) const = default;
};

std::string to_line(const TakeoverRequest& request);
std::string to_line(const TakeoverOffer& offer);
std::string to_line(const DrainRequest& request);
std::string refusal_line(const Error& refusal);

constexpr std::string_view kReleasedLine = "{\"step\":\"released\"}\n";
constexpr std::string_view kReadyLine = "{\"step\":\"ready\"}\n";

// Each takes one line with its end, or without. The error says what came instead.
Result<TakeoverRequest> parse_takeover_request(std::string_view line);
Result<TakeoverOffer> parse_takeover_offer(std::string_view line);  // or the refusal
Result<DrainRequest> parse_drain_request(std::string_view line);

}  // namespace oriel
