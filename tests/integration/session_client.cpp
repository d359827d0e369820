#include "session_client.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace oriel {

namespace json = boost::json;

namespace {

constexpr std::string_view kSessions = "/api/sessions";

json::object expect(const HttpResponse& response, std::initializer_list<int> statuses) {
  if (std::find(statuses.begin(), statuses.end(), response.status) == statuses.end()) {
    throw std::runtime_error(std::to_string(response.status) + " " + response.body);
  }
  return response.json();
}

Event only_completion(const Events& events) {
  const Events completions = of_type(events, "completion");
  if (completions.size() != 1) throw std::runtime_error("not one completion:\n" + to_text(events));
  return completions.front();
}

}  // namespace

SessionClient::SessionClient(const ServerProcess& server, const json::object& request)
    : server_(server) {
  const json::object made = expect(post_json(server, std::string(kSessions), request), {201});
  id_ = made.at("session").at("session_id").as_string();
}

SessionClient::SessionClient(const ServerProcess& server, std::string id)
    : server_(server), id_(std::move(id)) {
  last_index_ = state().at("last_index").to_number<std::int64_t>();
}

json::object SessionClient::state() const {
  return expect(get(server_, std::string(kSessions) + "/" + id_), {200});
}

std::string SessionClient::status() const {
  return string_of(state(), "status");
}

void SessionClient::send(std::string_view message) {
  expect(post("/messages", {{"message", message}}), {202});
}

HttpResponse SessionClient::post(std::string_view action, const json::object& body) const {
  return post_json(server_, std::string(kSessions) + "/" + id_ + std::string(action), body);
}

Events SessionClient::until(const std::function<bool(const Event&)>& is_wanted,
                            Milliseconds within) {
  const Deadline deadline(within);
  Events events;
  while (!deadline.passed()) {
    const auto wait = std::min(deadline.left(), Milliseconds{5'000});
    const json::object page = expect(
        get(server_, std::string(kSessions) + "/" + id_ + "/events?limit=500&since_index=" +
                         std::to_string(last_index_) + "&wait_ms=" + std::to_string(wait.count())),
        {200});
    for (const json::value& event : page.at("events").as_array()) {
      events.push_back(event.as_object());
      const auto index = events.back().at("index").to_number<std::int64_t>();
      if (index != last_index_ + 1) throw std::runtime_error("a hole in " + to_text(events));
      last_index_ = index;
      if (is_wanted(events.back())) return events;
    }
  }
  throw std::runtime_error("the event does not come after these:\n" + to_text(events));
}

Events SessionClient::until_rest(Milliseconds within) {
  const auto is_rest = [](const Event& event) {
    return string_of(event, "type") == "status" && string_of(event, "text") != "running";
  };
  return until(is_rest, within);
}

Events SessionClient::task(std::string_view message, Milliseconds within) {
  send(message);
  return until_rest(within);
}

Events SessionClient::until_asked() {
  return until([](const Event& event) {
    return string_of(event, "type") == "permission" && string_of(event, "status") == "pending";
  });
}

HttpResponse SessionClient::decide(std::string_view decision) const {
  const json::object session = state();
  const json::array& waiting = session.at("permissions").as_array();
  if (waiting.size() != 1)
    throw std::runtime_error("not one permission: " + json::serialize(session));
  const json::string& permission = waiting.front().at("permission_id").as_string();
  return post("/permissions/" + std::string(permission), {{"decision", decision}});
}

HttpResponse post_json(const ServerProcess& server, std::string target, const json::object& body) {
  const HttpRequest request{.method = "POST",
                            .target = std::move(target),
                            .headers = {{"Content-Type", "application/json"}},
                            .body = json::serialize(body)};
  return call(server, request);
}

std::string string_of(const Event& event, std::string_view key) {
  const json::value* value = event.if_contains(key);
  return value && value->is_string() ? std::string(value->as_string()) : std::string();
}

Events of_type(const Events& events, std::string_view type) {
  Events wanted;
  std::copy_if(events.begin(), events.end(), std::back_inserter(wanted),
               [type](const Event& event) { return string_of(event, "type") == type; });
  return wanted;
}

std::string final_answer(const Events& events) {
  return string_of(only_completion(events), "text");
}

std::string end_of_task(const Events& events) {
  return string_of(only_completion(events), "status");
}

std::string to_text(const Events& events) {
  std::string text;
  for (const Event& event : events)
    text += json::serialize(event).substr(0, 500) + "\n";
  return text;
}

}  // namespace oriel
