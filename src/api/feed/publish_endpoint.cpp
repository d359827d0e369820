#include "api/feed/publish_endpoint.h"

#include "api/error_response.h"
#include "api/json_body.h"
#include "base/cursor.h"
#include "base/event/redact.h"
#include "base/id.h"
#include "base/text/quote.h"
#include "base/time.h"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include <algorithm>
#include <array>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::string_view kHint =
    "send a JSON object with \"type\" and, as needed, \"project_id\", \"session_id\", \"text\" and "
    "\"data\"";
constexpr std::chrono::seconds kRetryAfter{1};
constexpr std::array<std::string_view, 3> kOfTheStream = {"hello", "gap", "bye"};

Error invalid_event(std::string message) {
  return {
      .kind = ErrorKind::kInvalidEvent, .message = std::move(message), .hint = std::string(kHint)};
}

Result<void> set_name(std::string& name, std::string_view key, const json::value& value) {
  if (!value.is_string()) return invalid_event(std::string(key) + ": must be a string");
  if (!is_name(value.get_string())) {
    return invalid_event(std::string(key) + ": " + quote(value.get_string()) +
                         " is not a name: 1 to 128 of A-Z a-z 0-9 . _ : -");
  }
  name = value.get_string();
  return {};
}

// Many services use numbers as ids.
Result<void> set_id(std::string& id, std::string_view key, const json::value& value) {
  if (!value.is_int64()) return set_name(id, key, value);
  id = std::to_string(value.get_int64());
  return {};
}

// Ids of hosted sessions are reserved.
Result<void> set_session(std::string& id, const json::value& value) {
  if (auto set = set_id(id, "session_id", value); !set) return set;
  if (id.starts_with("ses_"))
    return invalid_event("session_id: " + quote(id) +
                         " is reserved: ids with ses_ belong to hosted sessions");
  return {};
}

Error session_exists(const std::string& id) {
  return invalid_event("session_id: " + quote(id) +
                       " is a session of an agent, and only the agent writes its events");
}

Error foreign_project() {
  return {.kind = ErrorKind::kNotAllowed,
          .message = "this credential may not publish to that project or session",
          .hint = "name one of its own as project_id or session_id"};
}

Result<void> set_type(std::string& type, const json::value& value) {
  if (auto set = set_name(type, "type", value); !set) return set;
  const bool is_of_stream =
      std::find(kOfTheStream.begin(), kOfTheStream.end(), type) != kOfTheStream.end();
  if (is_of_stream || is_own_event_type(type))
    return invalid_event("type: " + quote(type) + " is reserved for Oriel's own events");
  return {};
}

Result<void> set_key(SessionEvent& event, std::string_view key, json::value& value) {
  auto& custom = std::get<event::Custom>(event.payload);
  if (key == "type") return set_type(custom.type, value);
  if (key == "project_id") return set_id(event.project_id, key, value);
  if (key == "session_id") return set_session(event.session_id, value);
  if (key == "text") {
    if (!value.is_string()) return invalid_event("text: must be a string");
    custom.text = value.get_string();
    return {};
  }
  if (key == "data") {
    custom.data = std::move(value);
    return {};
  }
  return invalid_event(quote(key) + ": unknown key");
}

}  // namespace

Result<SessionEvent> parse_publication(std::string_view body) {
  error_code ec;
  json::value value = json::parse(body, ec);
  if (ec) return invalid_event("the body is not JSON: " + ec.message());
  if (!value.is_object()) return invalid_event("the body is not a JSON object");
  SessionEvent event;
  event.payload = event::Custom{};
  for (auto& member : value.get_object()) {
    if (auto set = set_key(event, member.key(), member.value()); !set) return set.error();
  }
  if (event.feed_type().empty()) return invalid_event("type: is missing");
  return event;
}

void PublishEndpoint::add_routes(http::Router& router) {
  router.add({"POST", "/api/events", Scope::kPublish, [this](http::Request request, Shard& shard) {
                return publish(std::move(request), shard);
              }});
}

asio::awaitable<http::Response> PublishEndpoint::publish(http::Request request, Shard&) {
  if (!has_json_body(request)) co_return not_json();
  auto event = parse_publication(request.body);
  if (!event) co_return error_response(event.error());
  if (!request.principal.sees(event->project_id, event->session_id))
    co_return error_response(foreign_project());
  if (!event->session_id.empty()) {
    const bool is_taken = co_await sessions_.is_known(event->session_id);
    const auto visible = co_await sessions_.find(request.principal, event->session_id);
    if (is_taken && !visible) co_return error_response(foreign_project());
    if (is_taken) co_return error_response(session_exists(event->session_id));
  }
  std::get<event::Custom>(event->payload).by = request.principal.name;
  if (redactor_) redact(*event, *redactor_);
  event->timestamp = wall_now();
  std::vector<SessionEvent> events;
  events.push_back(*std::move(event));
  const auto appended = co_await journal_.append(std::move(events));
  if (!appended) co_return error_response(appended.error(), kRetryAfter);
  const Record& record = *appended->front();
  json::object answer;
  answer["id"] = format_cursor({.sequence = record.sequence, .epoch = journal_.epoch()});
  answer["sequence"] = record.sequence;
  answer["index"] = record.index;
  co_return http::json_response(201, answer);
}

}  // namespace oriel
