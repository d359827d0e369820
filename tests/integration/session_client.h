#pragma once
// A session of an agent, used over REST as a program would.

#include "http_call.h"

#include <boost/json/object.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// For what an agent does: real ones take seconds to start, and many more on a crowded machine.
constexpr Milliseconds kAgentPatience{120'000};

using Event = boost::json::object;
using Events = std::vector<Event>;

// Reads its events by their index, each once.
class SessionClient {
 public:
  // Makes the session; throws if the server refuses.
  SessionClient(const ServerProcess& server, const boost::json::object& request);

  // Of a session that is there, from its next event on.
  SessionClient(const ServerProcess& server, std::string id);

  const std::string& id() const { return id_; }

  boost::json::object state() const;

  // "idle", "running", "failed" or "completed".
  std::string status() const;

  void send(std::string_view message);

  // The events that are next, up to the first that is wanted. Throws if it does not come.
  Events until(const std::function<bool(const Event&)>& is_wanted,
               Milliseconds within = kAgentPatience);

  // Up to the end of what it does: the status that is not "running".
  Events until_rest(Milliseconds within = kAgentPatience);

  // Sends a message and waits for the rest.
  Events task(std::string_view message, Milliseconds within = kAgentPatience);

  // Up to a permission that waits for an answer.
  Events until_asked();

  // Answers the permission that waits, with "allow" or "deny".
  HttpResponse decide(std::string_view decision) const;

  HttpResponse cancel() const { return post("/cancel", {}); }

  HttpResponse end() const { return post("/end", {}); }

  HttpResponse post(std::string_view action, const boost::json::object& body) const;

 private:
  const ServerProcess& server_;
  std::string id_;
  std::int64_t last_index_ = -1;
};

// The server's answer to POST with a JSON body.
HttpResponse post_json(const ServerProcess& server, std::string target,
                       const boost::json::object& body);

// A string under this key; empty if there is none.
std::string string_of(const Event& event, std::string_view key);

// The events of one type, in their order.
Events of_type(const Events& events, std::string_view type);

// The text and the status of a task's completion; it has to have one.
std::string final_answer(const Events& events);
std::string end_of_task(const Events& events);

// For failures: one event a line.
std::string to_text(const Events& events);

}  // namespace oriel
