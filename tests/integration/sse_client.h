#pragma once
// A watcher of /api/events that keeps the bytes of every frame, so that tests can be exact about
// them.

#include "http_call.h"
#include "raw_client.h"

#include <boost/json/object.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct SseFrame {
  std::string raw;  // with the empty line
  std::string comment;
  std::string id;
  std::string event;
  std::string data;
  std::optional<int> retry;

  // The number in the id, before the epoch.
  std::uint64_t sequence() const;
  std::string epoch() const;
  boost::json::object json() const;

  // A string in the data, by its key.
  std::string text(std::string_view key) const;
};

// Throws on a line that the product never sends.
SseFrame parse_frame(std::string raw);

struct SseRequest {
  std::string target = "/api/events";
  Headers headers = {};
  SocketOptions socket = {};
};

// Sends its request when constructed and reads only when asked, so one that is never asked is a
// stalled client.
class SseClient {
 public:
  explicit SseClient(const ServerProcess& server, SseRequest request = {});

  SseClient(const ServerProcess& server, std::string target)
      : SseClient(server, SseRequest{.target = std::move(target)}) {}

  SseClient(std::unique_ptr<Connection> connection, const SseRequest& request);

  // Read on first use; throws if the answer is not a stream.
  const HttpResponse& head();
  const SseFrame& hello();

  std::string client_id() { return std::string(hello().json().at("client_id").as_string()); }

  std::string epoch() { return std::string(hello().json().at("epoch").as_string()); }

  // The next block after the hello, heartbeats included. Throws Closed or TimedOut.
  SseFrame next_frame(Milliseconds within = kPatience);

  // The next block that is an event.
  SseFrame next_event(Milliseconds within = kPatience);
  std::vector<SseFrame> next_events(std::size_t count);

  // Every complete frame that is still to come until the server closes; a cut one is dropped, as
  // browsers do.
  std::vector<SseFrame> frames_to_end(Milliseconds within = kPatience);

  // True if nothing comes and the stream stays open for that long.
  bool is_silent_for(Milliseconds time);

  // Only for plain connections.
  RawClient& socket();

 private:
  std::unique_ptr<Connection> connection_;
  std::optional<HttpResponse> head_;
  std::optional<SseFrame> hello_;
};

// Resumes after a cursor, by the header.
SseRequest resume_after(std::string cursor, std::string target = "/api/events");

// A client that does not read, and whose system takes as little as possible.
SseRequest stalled(std::string target = "/api/events");

}  // namespace oriel
